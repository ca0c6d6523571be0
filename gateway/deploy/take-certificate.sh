#!/bin/sh
# certbot ... --deploy-hook /etc/zbc-gateway/take-certificate.sh
# Only root may read certbot's keys: copies the new ones to where the gateway's group may.
set -eu
install -m 640 -g zbc-gateway-config "$RENEWED_LINEAGE/fullchain.pem" "$RENEWED_LINEAGE/privkey.pem" /etc/zbc-gateway/
# Not at the first certificate, before there is a gateway.
if systemctl is-active -q zbc-gateway; then systemctl reload zbc-gateway; fi
