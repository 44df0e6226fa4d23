/// Reads values by the setting's declaration, so that a variable's name is written in one place.
extension Configuration {
    public func optionalText(_ setting: Setting) -> String? { optionalText(setting.name) }
    public func optionalInteger(_ setting: Setting) -> Int? { optionalInteger(setting.name) }
    public func optionalSecret(_ setting: Setting) -> Secret? { optionalSecret(setting.name) }
    public func flag(_ setting: Setting) -> Bool { flag(setting.name) }
    public func text(_ setting: Setting) -> String { text(setting.name) }
    public func integer(_ setting: Setting) -> Int { integer(setting.name) }
    public func duration(_ setting: Setting) -> Duration { duration(setting.name) }
}
