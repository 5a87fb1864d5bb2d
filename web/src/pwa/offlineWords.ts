/** What the offline page says. It must not wait for the app's words, so it has its own. */
export const offlineWords = {
  zh: {
    brand: '早签',
    network: '现在没有网络',
    networkText: '监控在我们的服务器上继续，不需要这台设备联网。约到更早的日期，照常发邮件通知您。',
    server: '暂时连不上早签',
    serverText: '网络是通的，但早签没有回应。您的任务都保存在服务器上，恢复后会从中断的地方继续。',
    retry: '再试一次',
    looking: '正在连接……',
    byItself: '连上之后，这一页会自动打开。',
    tried: '上次尝试',
  },
  en: {
    brand: 'Sooner',
    network: 'There is no network',
    networkText:
      'Monitoring goes on on our server, and does not need this device. When an earlier date is booked, the e-mail comes as always.',
    server: 'Sooner cannot be reached',
    serverText: 'Your network works, but Sooner does not answer. Your tasks are kept on the server and go on where they stopped.',
    retry: 'Try again',
    looking: 'Connecting…',
    byItself: 'This page opens by itself once the connection is back.',
    tried: 'Last tried',
  },
} as const;
