#!/bin/sh
# certbot ... --deploy-hook /etc/zbc-gateway/take-certificate.sh
# Only root may read certbot's keys: copies the new ones to where the gateway's group may.
set -eu
install -m 640 -g zbc-gateway "$RENEWED_LINEAGE/fullchain.pem" "$RENEWED_LINEAGE/privkey.pem" /etc/zbc-gateway/
systemctl reload zbc-gateway
