import MQTT
import Testing

@Suite("The address of a broker") struct MQTTAddressTests {
    @Test(
        "has a host, and a port that depends on TLS where none is given",
        arguments: [
            ("mqtt://broker.example", "mqtt://broker.example:1883"),
            ("mqtts://broker.example", "mqtts://broker.example:8883"),
            ("mqtt://10.0.0.7:1884/", "mqtt://10.0.0.7:1884"),
            ("MQTTS://[fd00::1]:9000", "mqtts://[fd00::1]:9000"),
            ("mqtt://[::1]", "mqtt://[::1]:1883"),
        ])
    func read(text: String, shown: String) throws {
        let address = try #require(MQTTAddress(text))
        #expect(address.description == shown)
        #expect(MQTTAddress(shown) == address)
    }

    @Test(
        "has no other scheme, user, path, query or port beyond 65,535",
        arguments: [
            "http://broker", "broker:1883", "mqtt://", "mqtt://user:word@broker", "mqtt://a/b",
            "mqtt://a?b", "mqtt://a:0", "mqtt://a:65536", "mqtt://a:b", "mqtt://a b",
        ])
    func refused(text: String) { #expect(MQTTAddress(text) == nil) }
}
