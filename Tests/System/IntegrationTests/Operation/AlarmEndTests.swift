import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Alarms") struct AlarmEndTests {
        private func report(_ isGood: Bool, in folder: URL) throws {
            let json = jsonText([
                "finishedAt": Date().ISO8601Format(), "ok": isGood, "name": "nightly",
            ])
            try Data(json).write(to: folder.appending(path: "last-backup.json"), options: .atomic)
        }

        @Test(
            "Begin with one mail and one request, and end with one each, also after a refusal",
            .enabled(if: AlarmReceivers.isInstalled, "python3-aiosmtpd or openssl is missing"))
        func backup() async throws {
            let receivers = try await AlarmReceivers()
            defer { receivers.stop() }
            let backups = try makeTemporaryFolder("backups")
            defer { try? FileManager.default.removeItem(at: backups) }
            try report(false, in: backups)
            let campus = try await Campus(
                .postgres, .together,
                settings: [
                    "WHEREABOUTS_ALARM_MAIL": "it@museum.example, boss@museum.example",
                    "WHEREABOUTS_ALARM_SMTP": "smtp://localhost:\(receivers.smtpPort)",
                    "WHEREABOUTS_ALARM_SMTP_USER": AlarmReceivers.user,
                    "WHEREABOUTS_ALARM_SMTP_PASSWORD": AlarmReceivers.password,
                    "WHEREABOUTS_ALARM_WEBHOOK":
                        "http://127.0.0.1:\(receivers.webhookPort)/hook?key=secret",
                    "WHEREABOUTS_ALARM_ROUND": "1s", "WHEREABOUTS_BACKUPS": backups.path,
                    "WHEREABOUTS_CA_FILE": receivers.certificate,
                    "WHEREABOUTS_PUBLIC_URL": "http://map.museum.example",
                    "WHEREABOUTS_LOG_LEVEL": "info",
                ])
            defer { _ = campus.stop() }
            func told(_ state: String) -> (mails: [[String: Any]], posts: [[String: Any]]) {
                let word = "backup-failed \(state)"
                return (
                    receivers.mails.filter { ($0["body"] as? String)?.contains(word) == true },
                    receivers.posts.filter { ($0["text"] as? String)?.contains(word) == true }
                )
            }
            try await eventually("the alarm is sent: \(campus.messages)") {
                !told("began").mails.isEmpty && !told("began").posts.isEmpty
            }
            let mail = try #require(told("began").mails.first)
            #expect(mail["encrypted"] as? Bool == true)
            #expect(mail["user"] as? String == AlarmReceivers.user)
            #expect(mail["to"] as? [String] == ["it@museum.example", "boss@museum.example"])
            #expect((mail["subject"] as? String)?.hasPrefix("map.museum.example: ") == true)
            #expect((mail["body"] as? String)?.contains("`whereabouts backup nightly`") == true)
            let alarms = try #require(told("began").posts.first?["alarms"] as? [[String: Any]])
            let alarm = try #require(alarms.first { $0["alarm"] as? String == "backup-failed" })
            #expect(alarm["state"] as? String == "began")
            #expect(alarm["severity"] as? String == "wrong")

            try receivers.refuse(true)
            try report(true, in: backups)
            try await eventually("the end is sent by mail: \(campus.messages)") {
                !told("ended").mails.isEmpty
            }
            try await eventually("the refusal is logged: \(campus.messages)") {
                campus.messages.contains("Sending alarms to the webhook fails for now")
            }
            try receivers.refuse(false)
            try await eventually("the end is posted: \(campus.messages)") {
                !told("ended").posts.isEmpty
            }
            try await eventually("the recovery is logged: \(campus.messages)") {
                campus.messages.contains("Sending alarms to the webhook works again")
            }
            for state in ["began", "ended"] {
                #expect(told(state).mails.count == 1)
                #expect(told(state).posts.count == 1)
            }
            try await eventually("the log has the alarm itself: \(campus.messages)") {
                campus.messages.contains("The alarm backup-failed (service whereabouts) has begun")
            }
            // Neither the address with its key nor the password is ever logged.
            #expect(!campus.messages.contains("key=secret"))
            #expect(!campus.messages.contains(AlarmReceivers.password))
        }
    }
}
