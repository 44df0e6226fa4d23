import Glibc
import ServiceRuntime
import Testing

@Suite("Configuration") struct ConfigurationTests {
    static let settings = [
        Setting("WHEREABOUTS_LISTEN", .listenAddress, .defaultsTo("127.0.0.1:8080"), help: "where"),
        Setting("WHEREABOUTS_BATCH", .integer(1...500), .defaultsTo("50"), help: "how many"),
        Setting("WHEREABOUTS_WAIT", .duration(.seconds(1) ... .seconds(60)), .optional, help: "w"),
        Setting("WHEREABOUTS_LOG", .choice(["postgres", "kafka"]), .required, help: "which log"),
        Setting("WHEREABOUTS_OPEN", .flag, .defaultsTo("false"), help: "open to all"),
        Setting("WHEREABOUTS_SITE_URL", .url(schemes: ["http", "https"]), .optional, help: "u"),
        Setting("DATABASE_URL", .secret, .required, help: "the database"),
    ]

    func faults(
        _ environment: [String: String], otherNames: Set<String> = []
    ) -> [ConfigurationFault] {
        do throws(ConfigurationError) {
            _ = try Configuration(
                environment: environment, settings: Self.settings, otherNames: otherNames)
            return []
        } catch {
            return error.faults
        }
    }

    @Test("Values are read by kind, and absent or empty ones get their default")
    func values() throws {
        let configuration = try Configuration(
            environment: [
                "WHEREABOUTS_LOG": "kafka", "DATABASE_URL": "postgres://a:b@c/d",
                "WHEREABOUTS_BATCH": "", "WHEREABOUTS_WAIT": "1500ms", "WHEREABOUTS_OPEN": "yes",
                "WHEREABOUTS_LISTEN": "[::1]:0", "PATH": "/bin",
            ], settings: Self.settings)
        #expect(configuration.text("WHEREABOUTS_LOG") == "kafka")
        #expect(configuration.integer("WHEREABOUTS_BATCH") == 50)
        #expect(configuration.duration("WHEREABOUTS_WAIT") == .milliseconds(1_500))
        #expect(configuration.flag("WHEREABOUTS_OPEN"))
        #expect(configuration.listenAddress("WHEREABOUTS_LISTEN").host == "::1")
        #expect(configuration.optionalText("WHEREABOUTS_SITE_URL") == nil)
        #expect(configuration.secret("DATABASE_URL").reveal() == "postgres://a:b@c/d")
    }

    @Test("The scheme of an address may have capitals, and is read in small letters")
    func scheme() throws {
        for (text, read) in [
            ("HTTP://Map.example/Site", "http://Map.example/Site"),
            ("Https://map.example", "https://map.example"),
        ] {
            let configuration = try Configuration(
                environment: [
                    "WHEREABOUTS_LOG": "kafka", "DATABASE_URL": "postgres://a:b@c/d",
                    "WHEREABOUTS_SITE_URL": text,
                ], settings: Self.settings)
            #expect(configuration.optionalText("WHEREABOUTS_SITE_URL") == read)
        }
    }

    @Test("A checked text is accepted or refused by its own form")
    func checkedText() throws {
        let form = Setting.TextForm("short") { $0.count > 3 ? "is too long" : nil }
        let settings = [Setting("WHEREABOUTS_WORD", .checked(form), .optional, help: "a word")]
        let taken = try Configuration(
            environment: ["WHEREABOUTS_WORD": "abc"], settings: settings)
        #expect(taken.optionalText("WHEREABOUTS_WORD") == "abc")
        do throws(ConfigurationError) {
            _ = try Configuration(environment: ["WHEREABOUTS_WORD": "abcd"], settings: settings)
            Issue.record("the text should be refused")
        } catch {
            #expect(error.faults.map(\.problem) == ["is too long"])
        }
    }

    @Test("All faults are reported at once, in the order of the settings")
    func allFaults() {
        let found = faults([
            "WHEREABOUTS_LISTEN": "nowhere", "WHEREABOUTS_BATCH": "501", "WHEREABOUTS_WAIT": "5",
            "WHEREABOUTS_LOG": "pulsar", "WHEREABOUTS_OPEN": "perhaps",
            "WHEREABOUTS_SITE_URL": "ftp://x", "WHEREABOUTS_LISTN": "x",
        ])
        #expect(
            found.map(\.name) == [
                "WHEREABOUTS_LISTEN", "WHEREABOUTS_BATCH", "WHEREABOUTS_WAIT", "WHEREABOUTS_LOG",
                "WHEREABOUTS_OPEN", "WHEREABOUTS_SITE_URL", "DATABASE_URL", "WHEREABOUTS_LISTN",
            ])
        #expect(found[1].problem == #"must be a whole number from 1 to 500 (it is "501")"#)
        // An address may hold a password, so it is not shown.
        #expect(found[0].problem == "is not host:port, such as 127.0.0.1:8080")
        #expect(found[6].problem == "is missing: the database")
    }

    @Test(
        "A misspelled variable is a fault that names the nearest known one; others' names are fine")
    func unknown() {
        let good = ["WHEREABOUTS_LOG": "kafka", "DATABASE_URL": "x"]
        let misspelled = faults(good.merging(["WHEREABOUTS_BACTH": "3"]) { $1 })
        #expect(misspelled.map(\.problem) == ["is not known; did you mean WHEREABOUTS_BATCH?"])
        let others = good.merging(["WHEREABOUTS_IMAGE": "3"]) { $1 }
        #expect(faults(others).count == 1)
        #expect(faults(others, otherNames: ["WHEREABOUTS_IMAGE"]).isEmpty)
        #expect(faults(good.merging(["WHEREABOUTS_TEST_LOGS": "memory"]) { $1 }).isEmpty)
    }

    @Test("A secret comes from a file, without its line break, and never shows")
    func secretFile() throws {
        let path = "/tmp/whereabouts-secret-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let file = try #require(fopen(path, "w"))
        fputs("correct horse\n", file)
        fclose(file)
        defer { unlink(path) }
        let environment = ["WHEREABOUTS_LOG": "kafka", "DATABASE_URL_FILE": path]
        let configuration = try Configuration(environment: environment, settings: Self.settings)
        let secret = configuration.secret("DATABASE_URL")
        #expect(secret.reveal() == "correct horse")
        #expect("\(secret) \(String(reflecting: secret))" == "(secret) (secret)")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("horse"))

        let both = environment.merging(["DATABASE_URL": "x"]) { $1 }
        #expect(faults(both).map(\.problem) == ["is set twice: here and as a file"])
        let absent = ["WHEREABOUTS_LOG": "kafka", "DATABASE_URL_FILE": path + ".absent"]
        #expect(faults(absent).count == 1)
    }

    @Test("A fault of a secret's file has the setting, the path and the reason, not the content")
    func faultsOfSecretFiles() throws {
        let path = "/tmp/whereabouts-faulty-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        defer { unlink(path) }
        func fault(_ path: String) -> String {
            let environment = ["WHEREABOUTS_LOG": "kafka", "DATABASE_URL_FILE": path]
            return faults(environment).map(\.description).joined(separator: "; ")
        }
        func fault(of content: [UInt8]) throws -> String {
            let file = try #require(fopen(path, "w"))
            fwrite(content, 1, content.count, file)
            fclose(file)
            return fault(path)
        }
        let start = "DATABASE_URL_FILE names "
        #expect(
            fault("/nowhere") == start
                + "/nowhere, which can't be read: No such file or directory")
        #expect(fault("/tmp") == start + "/tmp, which can't be read: Is a directory")
        #expect(try fault(of: [10]) == start + "\(path), which is empty")
        #expect(try fault(of: [104, 0xFF]) == start + "\(path), which is not text in UTF-8")
        #expect(
            try fault(of: Array(repeating: 104, count: 65_537)) == start
                + "\(path), which has more than 65536 bytes")
        #expect(!fault("hunter2").contains("hunter2"))
        let other = ["OTHER_FILE": "/nowhere"]
        #expect(throws: ConfigurationError.self) { try secretVariable("OTHER", in: other) }
    }

    @Test("No fault quotes the value, which may be a secret")
    func quietFaults() {
        let value = "hunter2 hunter2"
        var environment = ["WHEREABOUTS_UNKNOWN": value]
        for setting in Self.settings { environment[setting.name] = value }
        let found = faults(environment)
        #expect(found.count == Self.settings.count)
        #expect(!ConfigurationError(faults: found).description.contains("hunter2"))
    }

    @Test("librdkafka's settings pass through under their own names")
    func passthrough() throws {
        let configuration = try Configuration(
            environment: [
                "KAFKA_BOOTSTRAP_SERVERS": "a:9092,b:9092", "KAFKA_SECURITY_PROTOCOL": "SASL_SSL",
                "KAFKA_PORT_9092_TCP": "tcp://10.0.0.1:9092", "KAFKA_SERVICE_HOST": "10.0.0.1",
                "KAFKA_": "x", "OTHER": "y", "KAFKA_EMPTY": "",
            ], settings: [])
        #expect(
            try configuration.passthrough(prefix: "KAFKA_") == [
                "bootstrap.servers": "a:9092,b:9092", "security.protocol": "SASL_SSL",
            ])
        let broken = try Configuration(
            environment: ["KAFKA_SASL_PASSWORD_FILE": "/nowhere/at/all"], settings: [])
        #expect(throws: ConfigurationError.self) { try broken.passthrough(prefix: "KAFKA_") }
    }

    @Test(
        "Durations read back what they write",
        arguments: [1, 999, 1_000, 1_500, 60_000, 90_000, 3_600_000, 86_400_000, 604_800_000])
    func durations(milliseconds: Int) {
        let duration = Duration.milliseconds(milliseconds)
        #expect(Duration(configurationText: duration.configurationText) == duration)
    }

    @Test(
        "A malformed duration or address is refused",
        arguments: ["", "5", "s", "-5s", "5 s", "1.5s", "5w", "99999999999999999999s", "٣s"])
    func malformed(text: String) {
        #expect(Duration(configurationText: text) == nil)
        #expect(ListenAddress(text) == nil)
    }

    @Test(
        "A listen address needs a port from 0 to 65535",
        arguments: ["a:", "a:65536", "a:-1", "::1:80", "[::1]", "[a]:80", "http://a:80", "a:+1"])
    func addresses(text: String) { #expect(ListenAddress(text) == nil) }
}
