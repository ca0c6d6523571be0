#!/bin/sh
# Installs Debian packages without starting their services: the tests start their own servers.
set -e
policy=/usr/sbin/policy-rc.d
services='nginx haproxy caddy prometheus'

for service in $services; do
  test -e "/lib/systemd/system/$service.service" || fresh="$fresh $service"
done
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\nexit 101\n' >$policy
  chmod 755 $policy
fi
apt-get update -qq
apt-get install -y -qq --no-install-recommends "$@"
for service in $fresh; do
  test ! -e "/lib/systemd/system/$service.service" || systemctl --quiet disable "$service.service"
done
