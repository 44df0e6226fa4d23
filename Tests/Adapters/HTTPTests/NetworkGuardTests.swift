import HTTP
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

    @Test("A public server leads to no private one, not even to one that is allowed")
    func redirects() async throws {
        func atSecondAddress(_ configuration: inout HTTPServerConfiguration) {
            configuration.address = "127.0.0.2"
        }
        let asked = Tally()
        let answer = HTTPResponse(status: 204)
        let hidden = [
            Route(
                .get, "/x",
                handler: .task { _ in
                    asked.add()
                    return answer
                })
        ]
        // Here 127.0.0.1 is the public address, and 127.0.0.2 a private one that is allowed.
        let allowed = try #require(NetworkGuard.Network("127.0.0.2"))
        var strict = HTTPClient.Configuration()
        strict.guarding = NetworkGuard(allowing: [allowed], refusing: [allowed])
        strict.maximumRedirects = 5
        strict.usesProxy = false
        let client = HTTPClient(strict)
        defer { client.close() }
        try await withServer(hidden, configure: atSecondAddress) { server in
            let target = "http://127.0.0.2:\(server.port)/x"
            let location = [(name: "location", value: target)]
            let leading = [
                Route(
                    .get, "/to",
                    handler: .task { _ in HTTPResponse(status: 302, headers: location) }),
                Route(
                    .post, "/to",
                    handler: .task { _ in HTTPResponse(status: 303, headers: location) }),
                Route(.get, "/here", handler: .task { _ in answer }),
            ]
            try await withServer(leading) { first in
                for time in 1...2 {
                    for method in ["GET", "POST"] {
                        let error = await #expect(throws: HTTPClientError.self) {
                            try await client.send(
                                method, "http://127.0.0.1:\(first.port)/to", body: [])
                        }
                        #expect(error?.code == "address-refused", "\(error as Any)")
                        #expect(asked.count == time - 1)
                    }
                    // The second time, a connection to the private server is open.
                    let direct = try await client.send("GET", target)
                    #expect(direct.status == 204 && !direct.hasAskedPublic)
                    // A page may lead on as a redirect does.
                    let page = try await client.send(
                        "GET", "http://127.0.0.1:\(first.port)/here")
                    #expect(page.hasAskedPublic)
                    let error = await #expect(throws: HTTPClientError.self) {
                        try await client.send("GET", target, hasAskedPublic: true)
                    }
                    #expect(error?.code == "address-refused" && asked.count == time)
                }
            }
        }
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
