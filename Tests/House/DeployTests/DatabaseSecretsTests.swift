import Testing

@Suite("The database's passwords") struct DatabaseSecretsTests {
    /// The part of a compose file for each service.
    private static func services(_ text: String) -> [String] {
        var pieces: [String] = []
        for line in (text.split(separator: "\nservices:\n").last ?? "").split(separator: "\n") {
            if line.contains(/^  [a-z0-9-]+:$/) { pieces.append("") }
            if !pieces.isEmpty { pieces[pieces.count - 1] += line + "\n" }
        }
        return pieces
    }

    @Test(
        "Only the server, the role maker and the operator get the database owner's password",
        arguments: DeployTests.composeFiles)
    func ownersPassword(file: String) throws {
        let text = try DeployTests.text(file)
        let shared = text.split(separator: "\nservices:\n").first ?? ""
        #expect(!shared.contains("POSTGRES_PASSWORD"))
        let services = Self.services(text)
        #expect(services.count > 3)
        for service in services where service.contains("POSTGRES_PASSWORD") {
            let name = service.drop { $0 == " " }.prefix { $0 != ":" }
            #expect(["postgres", "database-roles", "operator"].contains(String(name)), "\(name)")
        }
    }

    @Test("With Kafka, scan-ingest and router get no database address or password")
    func withoutDatabase() throws {
        for file in DeployTests.composeFiles where !file.contains("small") {
            for service in Self.services(try DeployTests.text(file))
            where service.contains("command: [scan-ingest]")
                || service.contains("command: [router]")
            {
                #expect(!service.contains("DATABASE"), "\(file)")
                #expect(!service.contains("/run/database"), "\(file)")
            }
        }
    }

    @Test("The quickstart's PostgreSQL never uses trust, and its socket is for its user alone")
    func quickstart() throws {
        let text = try DeployTests.text("deploy/quickstart")
        #expect(!text.contains("trust"))
        #expect(!text.contains("chmod 755"))
        #expect(text.contains(#"mkdir -m 0700 "$data_folder" "$socket""#))
    }

    @Test(
        "A database that may be on another machine must show its certificate",
        arguments: [
            "deploy/example.env", "docs/separate-services.md",
        ])
    func certificates(page: String) throws {
        #expect(try DeployTests.text(page).contains("sslmode=verify-full&sslrootcert="))
    }
}
