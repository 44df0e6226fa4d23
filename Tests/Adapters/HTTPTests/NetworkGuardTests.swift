import Testing

@testable import HTTPClient

@Suite struct NetworkGuardTests {
    @Test(
        "Addresses of this machine, of private networks and of no host are refused",
        arguments: [
            "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255",
            "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "224.0.0.1",
            "255.255.255.255", "::", "::1", "fe80::1", "fd00:ec2::254", "ff02::1",
            "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::",
            "::127.0.0.1",
        ])
    func refused(text: String) throws {
        let address = try #require(NetworkGuard.bytes(text))
        #expect(!NetworkGuard().allows(address))
    }

    @Test(
        "Other addresses are allowed",
        arguments: [
            "8.8.8.8", "172.32.0.1", "100.128.0.1", "192.167.255.255", "2606:4700::1111",
            "::ffff:8.8.8.8", "64:ff9b::808:808", "169.253.0.1",
        ])
    func allowed(text: String) throws {
        let address = try #require(NetworkGuard.bytes(text))
        #expect(NetworkGuard().allows(address))
    }

    @Test("A network that is allowed ends at its last bit")
    func allowList() throws {
        let network = try #require(NetworkGuard.Network("10.2.0.0/15"))
        let some = NetworkGuard(allowing: [network])
        #expect(some.allows([10, 2, 0, 1]) && some.allows([10, 3, 255, 255]))
        #expect(!some.allows([10, 4, 0, 0]) && !some.allows([10, 1, 255, 255]))
        #expect(
            NetworkGuard(allowing: [NetworkGuard.Network("0.0.0.0/0")!]).allows([127, 0, 0, 1]))
    }

    @Test("A request to this machine is refused before anything is sent, unless it is allowed")
    func connections() async throws {
        var strict = HTTPClient.Configuration()
        strict.guarding = NetworkGuard()
        strict.usesProxy = false
        let client = HTTPClient(strict)
        defer { client.close() }
        for host in ["127.0.0.1", "localhost", "[::1]", "0x7f.1"] {
            let error = await #expect(throws: HTTPClientError.self) {
                try await client.send("GET", "http://\(host):9/")
            }
            #expect(error?.code == "address-refused")
        }
    }
}
