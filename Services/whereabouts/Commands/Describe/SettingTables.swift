import ServiceHost
import ServiceRuntime

/// All settings with their defaults, as deploy/example.env lists them.
enum SettingTables {
    /// This setting has no default. It is written by hand at the top of deploy/example.env, where
    /// the reader has to fill it in.
    private static let writtenByHand = "WHEREABOUTS_SERVICE_SECRET"
    private static let ruleWidth = 100

    static var text: String {
        ServiceProgram.settingGroups.map { group in
            let rule = String(repeating: "-", count: max(3, ruleWidth - 7 - group.title.count))
            return "\n# --- \(group.title) \(rule)"
                + group.settings.filter { $0.name != writtenByHand }.map(entry).joined()
        }.joined(separator: "\n") + "\n"
    }

    private static func entry(_ setting: Setting) -> String {
        let value = if case .defaultsTo(let value) = setting.presence { value } else { "" }
        return "\n# \(setting.help)\n\(setting.name)=\(value)"
    }
}
