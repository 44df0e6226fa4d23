import CXML2
