internal import CSodium

/// Bytes as base64 with padding (RFC 4648, section 4).
public func base64(_ bytes: [UInt8]) -> String {
    let variant = Int32(sodium_base64_VARIANT_ORIGINAL)
    // The library ends the text with a zero.
    var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
    sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Decodes base64 with padding. Nil when the text is not valid.
public func bytes(ofBase64 text: String) -> [UInt8]? {
    let encoded = text.utf8.map { CChar(bitPattern: $0) }
    var bytes = [UInt8](repeating: 0, count: encoded.count / 4 * 3 + 3)
    var count = 0
    var end: UnsafePointer<CChar>?
    let isWhole = encoded.withUnsafeBufferPointer { source in
        sodium_base642bin(
            &bytes, bytes.count, source.baseAddress, source.count, nil, &count, &end,
            Int32(sodium_base64_VARIANT_ORIGINAL)) == 0
            && end == source.baseAddress.map { $0 + source.count }
    }
    return isWhole ? Array(bytes[..<count]) : nil
}
