import CCurl
import Glibc

extension Transfer {
    /// Sets the options of libcurl's handle. The handle keeps a pointer to the transfer, so the
    /// loop keeps the transfer while the handle is in use.
    func prepare(_ easy: UnsafeMutableRawPointer, _ configuration: HTTPClient.Configuration) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        setText(easy, CURLOPT_URL, request.url)
        setText(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        prepareStrangers(easy, configuration, context)
        setNumber(easy, CURLOPT_NOSIGNAL, 1)
        if let file = configuration.certificateFile { setText(easy, CURLOPT_CAINFO, file) }
        if let proxy = configuration.proxy {
            setText(easy, CURLOPT_PROXY, proxy)
            // Nor may NO_PROXY of the environment lead round it.
            setText(easy, CURLOPT_NOPROXY, "")
        } else if !configuration.usesProxy {
            setText(easy, CURLOPT_NOPROXY, "*")
        }
        setNumber(easy, CURLOPT_TCP_NODELAY, 1)
        setNumber(
            easy, CURLOPT_CONNECTTIMEOUT_MS, Int(configuration.connectTimeoutSeconds * 1000))
        if request.method == "HEAD" { setNumber(easy, CURLOPT_NOBODY, 1) }
        if request.sendsBody {
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

    /// Sets what requests to strangers' servers need.
    private func prepareStrangers(
        _ easy: UnsafeMutableRawPointer, _ configuration: HTTPClient.Configuration,
        _ context: UnsafeMutableRawPointer
    ) {
        if configuration.maximumRedirects > 0 {
            setNumber(easy, CURLOPT_FOLLOWLOCATION, 1)
            setNumber(easy, CURLOPT_MAXREDIRS, configuration.maximumRedirects)
            setText(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
            guardsBody = request.sendsBody
        }
        // libcurl would use a method of our own again after a redirect that asks for GET.
        let isOrdinary = request.method == "GET" || request.method == "POST"
        if configuration.maximumRedirects == 0 || !isOrdinary {
            setText(easy, CURLOPT_CUSTOMREQUEST, request.method)
        }
        if configuration.acceptsCompressed { setText(easy, CURLOPT_ACCEPT_ENCODING, "") }
        if let cookies = request.cookies {
            setText(easy, CURLOPT_COOKIEFILE, "")
            for cookie in cookies { setText(easy, CURLOPT_COOKIELIST, cookie) }
        }
        guarding = configuration.proxy == nil ? configuration.guarding : nil
        if guarding != nil {
            setSocketCallback(easy, openGuardedSocket)
            setPointer(easy, CURLOPT_OPENSOCKETDATA, context)
            setRequestCallback(easy, beginGuardedRequest)
            setPointer(easy, CURLOPT_PREREQDATA, context)
        }
    }

    /// Moves the cookies out of the handle, which would keep them for its next request.
    func moveCookies(outOf easy: UnsafeMutableRawPointer) {
        guard request.cookies != nil else { return }
        var first: UnsafeMutablePointer<curl_slist>?
        guard getCookies(easy, &first) == CURLE_OK else { return }
        var (entry, cookies) = (first, [String]())
        while let line = entry?.pointee {
            if let data = line.data { cookies.append(String(cString: data)) }
            entry = line.next
        }
        curl_slist_free_all(first)
        setText(easy, CURLOPT_COOKIELIST, "ALL")
        keepCookies(cookies)
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
    let isAccepted = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        .parseHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return isAccepted ? size * count : 0
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

private func openGuardedSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let address else { return noSocket }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = Int(addressBytes(address, &bytes))
    guard count > 0, transfer.mayConnect(to: Array(bytes.prefix(count))) else { return noSocket }
    return socket(
        address.pointee.family, address.pointee.socktype, address.pointee.protocol)
}

/// libcurl calls it before each request of a transfer, also on a connection that was open. Any
/// answer but 0 ends the transfer.
private func beginGuardedRequest(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<CChar>?,
    _ ownAddress: UnsafeMutablePointer<CChar>?, _ port: Int32, _ ownPort: Int32
) -> Int32 {
    guard let context, let address, let bytes = NetworkGuard.bytes(String(cString: address))
    else { return 1 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.mayAsk(bytes) ? 0 : 1
}
