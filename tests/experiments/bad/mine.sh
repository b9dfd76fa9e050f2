#!/bin/sh
echo "status: stuck"
