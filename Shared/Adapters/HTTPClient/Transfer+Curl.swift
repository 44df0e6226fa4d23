import CCurl

extension Transfer {
    /// Tells libcurl what to do. The handle borrows the transfer, which the loop keeps for as long
    /// as the handle is in use.
    func prepare(_ easy: UnsafeMutableRawPointer, _ configuration: HTTPClient.Configuration) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        setText(easy, CURLOPT_URL, request.url)
        setText(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        setText(easy, CURLOPT_CUSTOMREQUEST, request.method)
        setNumber(easy, CURLOPT_NOSIGNAL, 1)
        if let file = configuration.certificateFile { setText(easy, CURLOPT_CAINFO, file) }
        if !configuration.usesProxy { setText(easy, CURLOPT_NOPROXY, "*") }
        setNumber(easy, CURLOPT_TCP_NODELAY, 1)
        setNumber(
            easy, CURLOPT_CONNECTTIMEOUT_MS, Int(configuration.connectTimeoutSeconds * 1000))
        if request.method == "HEAD" { setNumber(easy, CURLOPT_NOBODY, 1) }
        if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
            setNumber(easy, CURLOPT_POSTFIELDSIZE, request.body.count)
            // Copied by libcurl: the array's storage is promised only within this call. One byte
            // more than the body, since without an address libcurl would read a body from nowhere.
            (request.body + [0]).withUnsafeBytes { bytes in
                _ = setPointer(
                    easy, CURLOPT_COPYPOSTFIELDS,
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
        }
        if isStream {
            // Less than a byte a second for so long counts as dead.
            setNumber(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
            setNumber(easy, CURLOPT_LOW_SPEED_TIME, configuration.streamIdleTimeoutSeconds)
        } else {
            setNumber(easy, CURLOPT_TIMEOUT_MS, Int(request.timeoutSeconds * 1000))
        }
        prepareHeaders(easy)
        setCallback(easy, CURLOPT_HEADERFUNCTION, takeHeader)
        setPointer(easy, CURLOPT_HEADERDATA, context)
        setCallback(easy, CURLOPT_WRITEFUNCTION, takeBodyPiece)
        setPointer(easy, CURLOPT_WRITEDATA, context)
    }

    private func prepareHeaders(_ easy: UnsafeMutableRawPointer) {
        // Without it libcurl waits up to a second for leave to send a large body.
        var list = curl_slist_append(nil, "Expect:")
        if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            // Libcurl would call every body a form.
            list = curl_slist_append(list, "Content-Type:")
        }
        for (name, value) in request.headers {
            list = curl_slist_append(list, "\(name): \(value)")
        }
        headerList = list
        setPointer(easy, CURLOPT_HTTPHEADER, list)
    }
}

private func takeHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        .takeHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

private func takeBodyPiece(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let isTaken = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        .takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    // libcurl takes any other count than it gave for an error.
    return isTaken ? size * count : 0
}
