import Events
import Site

extension ContentRecord: SiteRecordObject {
    /// The most UTF-8 bytes that are read of a text. The domain limits what a site may hold.
    private static let longText = MemberRule.bytes(65_536)

    static var blank: Self { Self(id: ContentID(""), place: .room(RoomID("")), title: "") }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("id", &id)
        try form.required("place", &place)
        try form.required("title", &title)
        try form.optional("titles", &titles)
        try form.optional("text", &text, Self.longText)
        try form.optional("texts", &texts, Self.longText)
        try form.optional("audio", &audio)
        try form.optional("pictures", &pictures)
        try form.optional("videos", &videos)
    }
}

extension ContentID: WireMember {}

extension AudioRecord: WireObject {
    static var blank: Self { Self(level: 1, media: .blank) }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("level", &level, .within(1...3))
        try form.optional("language", &language, .bytes(64))
        try form.required("media", &media)
    }
}

extension PictureRecord: WireObject {
    static var blank: Self { Self(media: .blank) }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("media", &media)
        try form.optional("caption", &caption)
        try form.optional("captions", &captions)
    }
}
