import COpenSSL
import Glibc

/// The ends of the certificates in a file (PEM), in seconds since 1970, in the file's order. Other
/// parts of the file, such as a key, are passed over.
public func certificateEnds(pem: [UInt8]) -> [Int64] {
    pem.withUnsafeBytes { bytes in
        guard let source = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else {
            return []
        }
        defer { BIO_free(source) }
        var ends: [Int64] = []
        while let certificate = PEM_read_bio_X509(source, nil, nil, nil) {
            defer { X509_free(certificate) }
            var time = tm()
            guard ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1 else { continue }
            ends.append(Int64(timegm(&time)))
        }
        // The end of the file counts as an error, which another call would find.
        ERR_clear_error()
        return ends
    }
}
