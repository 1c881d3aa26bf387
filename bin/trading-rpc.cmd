@echo off
rem The same as the file trading-rpc beside it, for Windows.
setlocal
set ELECTRON_RUN_AS_NODE=1
"%TRADING_RPC_VSCODE_NODE%" "%~dp0..\dist\cli.js" %*
