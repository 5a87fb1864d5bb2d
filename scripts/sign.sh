#!/usr/bin/env bash
# Signs the SHA256SUMS of a folder, writes the public key beside it, and verifies the signature.
#   scripts/sign.sh KEY FOLDER   KEY is a secret key of minisign (prompts for the password) or of OpenSSH
set -euo pipefail
key="$(realpath -e "$1")" sums="$(realpath -e "$2")/SHA256SUMS"
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
say "Signature"
if grep -q "OPENSSH PRIVATE KEY" "$key"; then
  ssh-keygen -q -Y sign -f "$key" -n sooner "$sums"
  echo "sooner $(ssh-keygen -y -f "$key")" >"${sums%/*}/sooner.signers"
  verify=(ssh-keygen -q -Y verify -f "${sums%/*}/sooner.signers" -I sooner -n sooner -s "$sums.sig")
else
  minisign -S -s "$key" -m "$sums" -t "SHA256SUMS of Sooner"
  minisign -R -s "$key" -p "${sums%/*}/sooner.pub"
  verify=(minisign -V -q -p "${sums%/*}/sooner.pub" -x "$sums.minisig" -m /dev/stdin)
fi
"${verify[@]}" <"$sums" || die "The signature does not verify."
# The check must also reject a modified file. Otherwise its success would prove nothing.
! sed 's/^./x/' "$sums" | "${verify[@]}" 2>/dev/null || die "The signature verifies changed checksums too."
