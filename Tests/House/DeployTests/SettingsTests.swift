import Commands
import ServiceRuntime
import Testing

@Suite("example.env") struct SettingsTests {
    /// The lines of example.env for a setting: the comment and the variable.
    static func entry(_ setting: Setting) -> String {
        let value = if case .defaultsTo(let value) = setting.presence { value } else { "" }
        return "\n# \(setting.help)\n\(setting.name)=\(value)\n"
    }

    @Test("example.env has every setting of every service, with its meaning and default")
    func complete() throws {
        let example = try DeployTests.text("deploy/example.env")
        let settings = ServiceProgram.serve.allSettings
        #expect(settings.count > 25)
        for setting in settings {
            let entry = Self.entry(setting)
            #expect(example.contains(entry), "example.env lacks:\(entry)")
        }
        // The test notices a setting that is not listed.
        let unlisted = Setting("WHEREABOUTS_NOT_LISTED", .text, .optional, help: "nothing")
        #expect(!example.contains(Self.entry(unlisted)))
    }
}
