import ServiceHost
import ServiceRuntime
import Testing

@Suite("Settings of alarms") struct AlarmSettingsTests {
    private func faults(_ environment: [String: String]) -> [String] {
        AlarmSettings.missing(in: environment).map(\.name)
    }

    @Test("Mail needs a server and somebody who gets it, and an account its password")
    func together() {
        let mail = ["WHEREABOUTS_ALARM_MAIL": "it@museum.example"]
        let server = ["WHEREABOUTS_ALARM_SMTP": "smtp://mail:587"]
        #expect(faults(mail) == ["WHEREABOUTS_ALARM_SMTP"])
        #expect(faults(server) == ["WHEREABOUTS_ALARM_MAIL"])
        #expect(faults(mail.merging(server) { $1 }) == [])
        let user = ["WHEREABOUTS_ALARM_SMTP_USER": "a"].merging(mail) { $1 }
        #expect(
            faults(user.merging(server) { $1 }) == ["WHEREABOUTS_ALARM_SMTP_PASSWORD"])
    }

    @Test(
        "An account in the server's address is refused: its password would go out in the clear",
        arguments: ["smtp://user:word@mail:587", "smtps://user@mail", "smtp://a%40b:c@mail/x"])
    func account(_ address: String) {
        do {
            _ = try Configuration(
                environment: [
                    "WHEREABOUTS_ALARM_SMTP": address, "WHEREABOUTS_ALARM_MAIL": "a@b.example",
                ], settings: AlarmSettings.all)
            Issue.record("\(address) is accepted")
        } catch {
            let text = "\(error)"
            #expect(text.contains("must have no user or password in it"))
            #expect(!text.contains("word@"))
        }
    }

    @Test("An @ behind the host is no account")
    func path() throws {
        _ = try Configuration(
            environment: ["A": "https://mail.example/a@b"],
            settings: [Setting("A", .url(schemes: ["https"]), .optional, help: "a")])
    }
}
