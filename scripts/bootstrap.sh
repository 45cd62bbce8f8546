#!/bin/sh
# Installs the dependencies with the pnpm of package.json. Messages go to stderr, since programs read stdout.
echo "Installing the dependencies. The first time takes one to three minutes." >&2
exec npx --yes pnpm@10.34.9 install --frozen-lockfile
