import ServiceHost
import ServiceRuntime

struct SiteEditorSettings: Sendable {
    /// Origins whose pages may show Whereabouts' pages in a frame; `*` for all.
    let embedding: String
    let people: PeopleSettings

    init(_ configuration: Configuration) {
        embedding = configuration.optionalText(Self.embedding) ?? ""
        people = PeopleSettings(configuration)
    }

    static let all = [embedding] + PeopleSettings.settings

    private static let embedding = Setting(
        "WHEREABOUTS_EMBEDDING", .checked(OriginList.form), .optional,
        help: "origins whose pages may show our pages in a frame, with commas; * for all")
}
