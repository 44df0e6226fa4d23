/// A broker, and the topics to hear.
public struct MQTTConfiguration: Sendable {
    /// The most bytes of one message. Larger ones are dropped.
    public static let payloadBytes = 65_536
    public static let topicBytes = 512
    /// After this many messages, or bytes, no more are read until they are delivered.
    public static let batchMessages = 500
    public static let batchBytes = 1 << 20
    /// So many batches may be read at once, since libmosquitto reads more than it is asked for.
    /// Beyond them messages of QoS 0 are dropped.
    static let mostBatches = 4
    /// Beyond so many batches the connection ends. A broker bounds its messages of QoS 1 itself.
    static let mostUnacknowledgedBatches = 16

    public var address: MQTTAddress
    /// PEM certificates that may have signed the broker's, beside those of the system.
    public var certificateFile: String?
    public var user: String?
    public var password: String?
    /// The name of the session. The broker keeps messages for it while nobody is connected, and
    /// ends the connection of an earlier client of the same name.
    public var clientID: String
    /// The filter of topics, such as `espresense/devices/+/+`.
    public var topic: String

    public init(
        address: MQTTAddress, certificateFile: String? = nil, user: String? = nil,
        password: String? = nil, clientID: String, topic: String
    ) {
        self.address = address
        self.certificateFile = certificateFile
        self.user = user
        self.password = password
        self.clientID = clientID
        self.topic = topic
    }

    /// The seconds of silence after which the broker is asked for a sign of life.
    static let keepAliveSeconds: Int32 = 30
}
