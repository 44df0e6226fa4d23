"""Keys by the code points that WebDriver gives them; all drivers take these."""

TAB = "\ue004"
ENTER = "\ue007"
ARROW_DOWN = "\ue015"
ARROW_RIGHT = "\ue014"
DELETE = "\ue017"
ESCAPE = "\ue00c"
