"""Makes a container in the Azure storage at an address, with the account of its emulator.

usage: azure_container.py ADDRESS CONTAINER

`robocensus` makes no containers. The request is signed as Microsoft documents it ("Authorize with Shared Key").
"""

import base64
import hashlib
import hmac
import os
import sys
import urllib.request
from email.utils import formatdate

address, container = sys.argv[1:]
account, key = os.environ["AZURE_STORAGE_ACCOUNT_NAME"], os.environ["AZURE_STORAGE_ACCOUNT_KEY"]
headers = {"x-ms-date": formatdate(usegmt=True), "x-ms-version": "2021-08-06"}
signed_headers = "".join(f"{name}:{value}\n" for name, value in headers.items())
# Twelve empty headers follow the method. The emulator has the account in its path, so that it stands here twice.
signed = "PUT" + "\n" * 12 + signed_headers + f"/{account}/{account}/{container}\nrestype:container"
digest = hmac.new(base64.b64decode(key), signed.encode(), hashlib.sha256).digest()
headers["Content-Length"] = "0"
headers["Authorization"] = f"SharedKey {account}:{base64.b64encode(digest).decode()}"
url = f"{address}/{account}/{container}?restype=container"
urllib.request.urlopen(urllib.request.Request(url, headers=headers, method="PUT")).close()
