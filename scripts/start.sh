#!/bin/sh
# Builds the packages and becomes the quickstart.
set -e
echo "Building, which takes about half a minute." >&2
npm run --silent build:js
echo "Starting the quickstart." >&2
exec node examples/quickstart/dist/main.js
