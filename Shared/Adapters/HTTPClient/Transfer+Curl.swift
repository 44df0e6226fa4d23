import CCurl

extension Transfer {
    /// Sets the options of libcurl's handle. The handle keeps a pointer to the transfer, so the
    /// loop keeps the transfer while the handle is in use.
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
            // libcurl copies these bytes, because Swift guarantees the array's storage only within
            // this call. One byte is added: for a null address, as of an empty body, libcurl would
            // ask its read callback.
            (request.body + [0]).withUnsafeBytes { bytes in
                _ = setPointer(
                    easy, CURLOPT_COPYPOSTFIELDS,
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
        }
        if isStream {
            // A stream below one byte a second for this long counts as dead.
            setNumber(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
            setNumber(easy, CURLOPT_LOW_SPEED_TIME, configuration.streamIdleTimeoutSeconds)
        } else {
            setNumber(easy, CURLOPT_TIMEOUT_MS, Int(request.timeoutSeconds * 1000))
        }
        if let signing = request.signing {
            setText(easy, CURLOPT_AWS_SIGV4, "aws:amz:\(signing.region):\(signing.service)")
            setText(easy, CURLOPT_USERPWD, "\(signing.key):\(signing.secret)")
            setNumber(easy, CURLOPT_EXPECT_100_TIMEOUT_MS, 1)
        }
        prepareHeaders(easy)
        setCallback(easy, CURLOPT_HEADERFUNCTION, receiveHeader)
        setPointer(easy, CURLOPT_HEADERDATA, context)
        setCallback(easy, CURLOPT_WRITEFUNCTION, receiveBodyPiece)
        setPointer(easy, CURLOPT_WRITEDATA, context)
    }

    private func prepareHeaders(_ easy: UnsafeMutableRawPointer) {
        // libcurl 7.88 would sign a header that is only removed. So a signed request keeps its own.
        let isSigned = request.signing != nil
        // Without this libcurl waits up to a second for permission to send a large body.
        var list = isSigned ? nil : curl_slist_append(nil, "Expect:")
        if !isSigned, !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            // Without this libcurl would label every body as a form.
            list = curl_slist_append(list, "Content-Type:")
        }
        for (name, value) in request.headers {
            list = curl_slist_append(list, "\(name): \(value)")
        }
        headerList = list
        setPointer(easy, CURLOPT_HTTPHEADER, list)
    }
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        .parseHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

private func receiveBodyPiece(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let isAccepted = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        .appendBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    // libcurl treats any other count as an error.
    return isAccepted ? size * count : 0
}
