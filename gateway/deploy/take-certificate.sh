#!/bin/sh
# certbot ... --deploy-hook /etc/zbc-gateway/take-certificate.sh
# Only root may read certbot's keys. This script copies the new ones to where the gateway's group can read them.
set -eu
install -m 640 -g zbc-gateway-config "$RENEWED_LINEAGE/fullchain.pem" "$RENEWED_LINEAGE/privkey.pem" /etc/zbc-gateway/
# When certbot gets the first certificate, the gateway does not run yet.
if systemctl is-active -q zbc-gateway; then systemctl reload zbc-gateway; fi
