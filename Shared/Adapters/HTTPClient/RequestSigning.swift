/// The key with which libcurl signs a request, in Amazon's fourth way.
public struct RequestSigning: Hashable, Sendable {
    public var key: String
    public var secret: String
    public var region: String
    /// The service's name in the signature, such as `s3`.
    public var service: String

    public init(key: String, secret: String, region: String, service: String) {
        self.key = key
        self.secret = secret
        self.region = region
        self.service = service
    }
}
