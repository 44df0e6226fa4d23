// The page of the API.
