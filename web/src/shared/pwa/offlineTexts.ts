/** Texts of the offline page. It cannot load the texts of the app. */
export const offlineTexts = {
  zh: {
    brand: '早签',
    unreachable: '连不上早签',
    unreachableText:
      '可能是这台设备没有网络，也可能是早签暂时没有回应。监控在我们的服务器上进行，不需要这台设备联网；约到更早的日期，照常发邮件通知您。',
    server: '早签暂时出了问题',
    serverText: '这台设备的网络正常，但早签的服务器没有正常回应。您的任务都保存在服务器上，恢复后会从中断的地方继续。',
    retry: '再试一次',
    looking: '正在连接……',
    byItself: '连上之后，这一页会自动打开。',
    tried: '上次尝试',
  },
  en: {
    brand: 'Sooner',
    unreachable: 'Cannot reach Sooner',
    unreachableText:
      'Either this device has no network, or Sooner is not responding. Monitoring runs on our servers and does not need this device: when an earlier date is booked, you get an email as always.',
    server: 'Sooner has a problem',
    serverText:
      'Your network works, but our server is not responding properly. Your tasks are stored on the server and continue where they stopped.',
    retry: 'Try again',
    looking: 'Connecting…',
    byItself: 'This page opens by itself once the connection is back.',
    tried: 'Last tried',
  },
} as const;
