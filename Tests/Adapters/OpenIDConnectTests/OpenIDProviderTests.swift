import Foundation
import HTTPClient
import Synchronization
import Testing

@testable import OpenIDConnect

@Suite(.timeLimit(.minutes(2))) struct OpenIDProviderTests {
    @Test(
        "A person whom a provider signs for with RSA or P-256 is identified, with groups",
        arguments: [("RS256", false), ("PS256", false), ("ES256", true)])
    func signIn(algorithm: String, isElliptic: Bool) async throws {
        try await withProvider {
            $0.algorithm = algorithm
            if isElliptic { $0.key = ProviderKey(.elliptic, id: "k1") }
        } _: { small, provider in
            let identity = try await provider.signIn(at: small)
            #expect(identity.subject == "person-1")
            #expect(identity.name == "Anna Smith")
            #expect(identity.groups == ["staff", "surveyors"])
        }
    }

    @Test(
        "Groups are one text or an array of texts; another claim says nothing of them",
        arguments: [
            ("\"staff\"", ["staff"]), ("[\"staff\"]", ["staff"]), ("[]", []), (nil, nil),
            ("null", nil), ("{\"staff\":true}", nil), ("[\"staff\",7]", nil), ("[null]", nil),
            ("false", nil),
        ] as [(String?, [String]?)])
    func groups(claim: String?, said: [String]?) async throws {
        try await withProvider {
            $0.claims = ["groups": claim]
        } _: { small, provider in
            let identity = try await provider.signIn(at: small)
            #expect(identity.groups == said && !identity.hasGroupsElsewhere)
        }
    }

    @Test("Groups that the provider has elsewhere are missing, and known to be there")
    func groupsElsewhere() async throws {
        try await withProvider {
            $0.claims = ["groups": nil, "_claim_names": "{\"groups\":\"src1\"}"]
        } _: { small, provider in
            let identity = try await provider.signIn(at: small)
            #expect(identity.groups == nil && identity.hasGroupsElsewhere)
        }
    }

    @Test("The browser is sent with the hash of the verifier, never with the verifier")
    func challenge() async throws {
        try await withProvider { small, provider in
            let address = try await provider.authorizationAddress(
                redirect: "http://me/back?a=b&c", state: "st&ate", nonce: "n", verifier: "secret")
            let items = try #require(URLComponents(string: address)?.queryItems)
            let query = Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
            #expect(query["state"] == "st&ate")
            #expect(query["redirect_uri"] == "http://me/back?a=b&c")
            #expect(query["code_challenge_method"] == "S256")
            #expect(query["scope"] == "openid profile email")
            #expect(!address.contains("secret"))
        }
    }

    @Test("A code, verifier or nonce of another sign-in is refused")
    func otherSignIn() async throws {
        try await withProvider { small, provider in
            await #expect(throws: OpenIDFault.self) {
                try await provider.signIn(at: small, code: "other-code")
            }
            await #expect(throws: OpenIDFault.self) {
                try await provider.signIn(at: small, verifier: "another")
            }
            await #expect(throws: OpenIDFault.self) {
                try await provider.signIn(at: small, nonce: "n-2")
            }
        }
    }

    @Test(
        "A token with a wrong time, issuer, audience or person is refused",
        arguments: [
            ["exp": "\(Int(SmallProvider.now) - 61)"], ["exp": nil],
            ["iat": "\(Int(SmallProvider.now) + 61)"], ["iss": "\"https://evil.example\""],
            ["aud": "\"another\""], ["aud": "[\"whereabouts\",\"another\"]"],
            ["azp": "\"another\""], ["sub": "\"\""], ["sub": nil], ["nonce": nil],
        ] as [[String: String?]])
    func claims(changed: [String: String?]) async throws {
        try await withProvider {
            $0.claims = changed
        } _: { small, provider in
            await #expect {
                try await provider.signIn(at: small)
            } throws: {
                ($0 as? OpenIDFault)?.code == .identityRefused
            }
        }
    }

    @Test("A token whose payload, signature or algorithm was changed is refused")
    func tampering() async throws {
        let changes: [@Sendable (String) -> String] = [
            { token in
                var parts = token.split(separator: ".").map(String.init)
                parts[1] = Data("{\"sub\":\"admin\"}".utf8).base64EncodedString()
                return parts.joined(separator: ".")
            },
            { String($0.dropLast(6)) + "AAAAAA" },
            { token in
                var parts = token.split(separator: ".").map(String.init)
                parts[0] = "eyJhbGciOiJub25lIn0"
                return parts.joined(separator: ".")
            },
            { token in "eyJhbGciOiJub25lIn0." + token.split(separator: ".")[1] + "." },
            { token in "eyJhbGciOiJIUzI1NiJ9." + token.split(separator: ".")[1] + ".AAAA" },
            { _ in "nonsense" }, { _ in "" },
        ]
        for change in changes {
            try await withProvider {
                $0.tamper = change
            } _: { small, provider in
                await #expect(throws: OpenIDFault.self) { try await provider.signIn(at: small) }
            }
        }
    }

    @Test("A token that another key signed is refused, also under the same id")
    func otherKey() async throws {
        try await withProvider {
            $0.publishedKey = ProviderKey(.rsa, id: "k1")
        } _: { small, provider in
            await #expect(throws: OpenIDFault.self) { try await provider.signIn(at: small) }
        }
    }

    @Test("A new key of the provider is fetched, but unknown keys trigger only one request")
    func rotation() async throws {
        try await withProvider { small, provider in
            _ = try await provider.signIn(at: small)
            small.state.withLock { $0.key = ProviderKey(.rsa, id: "k2") }
            // Within a minute of the last request the provider is not asked again.
            await #expect(throws: OpenIDFault.self) { try await provider.signIn(at: small) }
            #expect(small.state.withLock { $0.keyRequests } == 1)
        }
    }

    @Test("A provider that is away is asked once, and again after five seconds")
    func away() async throws {
        try await withProvider {
            $0.isAway = true
        } _: { small, provider in
            let codes = await withTaskGroup(of: OpenIDFault.Code?.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        do throws(OpenIDFault) {
                            _ = try await provider.signIn(at: small)
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes == Array(repeating: .providerUnreachable, count: 50))
            #expect(small.state.withLock { $0.descriptionRequests } == 1)
            small.state.withLock {
                $0.isAway = false
                $0.now += 5
            }
            let identity = try await provider.signIn(at: small)
            #expect(identity.subject == "person-1")
        }
    }

    @Test("A provider with another issuer name, or with plain HTTP addresses, is not used")
    func description() async throws {
        try await withProvider {
            $0.issuer += "/"
        } _: { small, provider in
            await #expect {
                try await provider.signIn(at: small)
            } throws: {
                ($0 as? OpenIDFault)?.code == .providerUnusable
            }
        }
        #expect(!OpenIDProvider.isTrustworthy(issuer: "http://sign-in.example"))
        #expect(OpenIDProvider.isTrustworthy(issuer: "https://sign-in.example"))
    }
}
