"""Allocates an order number for each shopping cart, exactly once even after failures: python3 checkout.py cart-5cb1 cart-8e51

The key is the cart's id, which the shop knows before the number. A key always gets the same number. After any failure, even a crash of this program, run it again."""

import os
import pathlib
import sys

# Not needed if the package is installed.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python" / "src"))

from numera_client import Numera  # noqa: E402

sequence = os.environ.get("NUMERA_SEQUENCE", "shop/order")
numera = Numera(os.environ.get("NUMERA_URL", "http://127.0.0.1:7071/api"), function_key=os.environ.get("NUMERA_KEY"))

for order in sys.argv[1:]:
    numbers = numera.next(sequence, order)
    print(order, numbers["texts"][0] if "texts" in numbers else numbers["first"], flush=True)
