#!/bin/sh
# Installs the latest release of the node for this machine after checking its SHA-256 against the chain.
# ZBC_GATEWAY: URL of the gateway. ZBC_INSTALL_DIR: target directory, default ~/zbc-node.
set -eu

refuse() {
  printf 'zbc install: %s\n' "$1" >&2
  printf 'zbc install: nothing was installed.\n' >&2
  exit 1
}

# fetch URL FILE
fetch() {
  if command -v curl >/dev/null 2>&1; then
    curl --fail --silent --show-error --proto "=${gateway%%:*}" --connect-timeout 20 --retry 2 --output "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -T 30 -O "$2" "$1"
  else
    refuse 'curl or wget is required'
  fi
}

# sha256 FILE
sha256() {
  if command -v sha256sum >/dev/null 2>&1; then
    sum=$(sha256sum <"$1")
  elif command -v shasum >/dev/null 2>&1; then
    sum=$(shasum -a 256 <"$1")
  elif command -v openssl >/dev/null 2>&1; then
    sum=$(openssl dgst -sha256 -r <"$1")
  else
    refuse 'sha256sum, shasum or openssl is required'
  fi
  printf '%.64s' "$sum"
}

# Prints the names that this machine's architecture may have in releases; names with the system, such as
# linux-amd64, come first.
archs() {
  case $(uname -m) in
    x86_64 | amd64) names='x86_64 amd64 x64' ;;
    aarch64 | arm64) names='aarch64 arm64' ;;
    armv7* | armv6*) names='armv7 armv7l armhf' ;;
    *) names=$(uname -m) ;;
  esac
  system=$(uname -s | tr '[:upper:]' '[:lower:]')
  for name in $names; do
    printf '%s-%s ' "$system" "$name"
  done
  printf '%s\n' "$names"
}

# Prints a line "ARCH PATH NAME" for each file in the JSON response.
files() {
  tr '{}' '\n\n' <"$1" |
    sed -n 's|^"arch":"\([A-Za-z0-9._-]*\)","url":"\(/releases/[A-Za-z0-9._/-]*\)","name":"\([A-Za-z0-9._-]*\)".*|\1 \2 \3|p'
}

# Sets $path and $name to the bundle for this machine, from the list in the file $1.
choose() {
  for arch in $(archs); do
    while read -r listed path name; do
      if [ "$listed" = "$arch" ]; then
        return
      fi
    done <"$1"
  done
  refuse "no bundle for $(uname -m)"
}

# check HASH FILE: refuses unless the gateway reports that the chain publishes the hash. FILE receives the
# response.
check() {
  fetch "$gateway/verify?sha256=$1" "$2" || refuse 'the gateway could not verify the bundle'
  case $(cat "$2") in
    '{"sha256":"'"$1"'","published":true,'*) ;;
    *) refuse "THE CHAIN DOES NOT PUBLISH THIS BUNDLE (SHA-256 $1); it may have been tampered with" ;;
  esac
}

# place BUNDLE NAME TARGET: unpacks in a temporary directory, then moves the result to TARGET in one step.
place() {
  mkdir "$work/tree"
  case $2 in
    *.tar.gz | *.tgz) tar -xzf "$1" -C "$work/tree" || refuse 'the bundle cannot be unpacked' ;;
    *.tar.xz) tar -xJf "$1" -C "$work/tree" || refuse 'the bundle cannot be unpacked' ;;
    *) cp "$1" "$work/tree/$2" && chmod 755 "$work/tree/$2" ;;
  esac
  mv "$work/tree" "$3"
}

main() {
  this_gateway=@GATEWAY_URL@
  gateway=${ZBC_GATEWAY:-$this_gateway}
  directory=${ZBC_INSTALL_DIR:-"${HOME:?}/zbc-node"}
  mkdir -p "$directory"
  work=$(mktemp -d "$directory/.install.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM

  fetch "$gateway/releases/latest" "$work/latest" || refuse 'the gateway reported no release'
  version=$(sed -n 's|^{"version":"\([A-Za-z0-9_-][A-Za-z0-9._-]*\)".*|\1|p' "$work/latest")
  [ -n "$version" ] || refuse 'the gateway reported no release'
  files "$work/latest" >"$work/files"
  choose "$work/files"
  target=$directory/$version
  [ ! -e "$target" ] || refuse "$target already exists"

  printf 'Downloading %s %s\n' "$version" "$name"
  fetch "$gateway$path" "$work/bundle" || refuse 'the download failed'
  hash=$(sha256 "$work/bundle")
  [ "${#hash}" -eq 64 ] || refuse 'the SHA-256 of the bundle could not be computed'
  check "$hash" "$work/answer"
  place "$work/bundle" "$name" "$target"
  printf 'Installed in %s\nSHA-256 %s, as published by the chain\n' "$target" "$hash"
}

main
