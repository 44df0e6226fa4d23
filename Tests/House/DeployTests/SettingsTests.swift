import Commands
import ServiceRuntime
import Testing

@Suite("example.env") struct SettingsTests {
    /// The line that example.env gives a setting, with the comment above it.
    static func entry(_ setting: Setting) -> String {
        let value = if case .defaultsTo(let value) = setting.presence { value } else { "" }
        return "\n# \(setting.help)\n\(setting.name)=\(value)\n"
    }

    @Test("Every setting of every service stands there, with its meaning and its default")
    func complete() throws {
        let example = try DeployTests.text("deploy/example.env")
        let settings = ServiceProgram.serve.allSettings
        #expect(settings.count > 25)
        for setting in settings {
            let entry = Self.entry(setting)
            #expect(example.contains(entry), "example.env lacks:\(entry)")
        }
        // A setting that is not listed is noticed.
        let unlisted = Setting("WHEREABOUTS_NOT_LISTED", .text, .optional, help: "nothing")
        #expect(!example.contains(Self.entry(unlisted)))
    }
}
