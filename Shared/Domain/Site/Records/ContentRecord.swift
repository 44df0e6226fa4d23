public import Events

public struct ContentID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

/// Texts, sounds and pictures that a visitor gets at a place.
public struct ContentRecord: Hashable, Sendable {
    public var id: ContentID
    public var place: PlaceReference
    public var title: String
    public var titles: Translations
    public var text: String?
    public var texts: Translations
    public var audio: [AudioRecord]
    public var pictures: [PictureRecord]
    public var videos: [MediaReference]

    public init(
        id: ContentID, place: PlaceReference, title: String, titles: Translations = Translations(),
        text: String? = nil, texts: Translations = Translations(), audio: [AudioRecord] = [],
        pictures: [PictureRecord] = [], videos: [MediaReference] = []
    ) {
        self.id = id
        self.place = place
        self.title = title
        self.titles = titles
        self.text = text
        self.texts = texts
        self.audio = audio
        self.pictures = pictures
        self.videos = videos
    }
}

/// A spoken text.
public struct AudioRecord: Hashable, Sendable {
    /// The length of the text, from 1 (shortest) to 3 (in depth).
    public var level: Int
    /// BCP 47 language tag; nil for a sound without language.
    public var language: String?
    public var media: MediaReference

    public init(level: Int, language: String? = nil, media: MediaReference) {
        self.level = level
        self.language = language
        self.media = media
    }
}

public struct PictureRecord: Hashable, Sendable {
    public var media: MediaReference
    /// A description for people who can't see it.
    public var caption: String?
    public var captions: Translations

    public init(
        media: MediaReference, caption: String? = nil, captions: Translations = Translations()
    ) {
        self.media = media
        self.caption = caption
        self.captions = captions
    }
}

extension ContentRecord: SiteRecord {
    public static let kind = RecordKind(
        "content", "contents", list: "contents", most: 20_000, isOnMap: true)
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.contents }
    public static let fields: [RecordField<Self>] = [
        RecordField("place", \.place), RecordField("title", \.title),
        RecordField("titles", languages: \.titles), RecordField("text", \.text),
        RecordField("texts", languages: \.texts), RecordField("audio", \.audio),
        RecordField("pictures", \.pictures), RecordField("videos", \.videos),
    ]

    public var idText: String { id.text }
    public var references: [SiteThing] { [place.thing] }
    public var allNames: [String] { titles.all(with: title) }

    public func check(_ validation: inout SiteValidation) {
        validation.checkPlace(place)
        validation.checkText(title, "title")
        validation.checkNames(titles)
        for text in texts.all(with: text) { validation.checkLongText(text) }
        validation.checkLanguages(texts)
        for count in [audio.count, pictures.count, videos.count]
        where count > SiteLimits.mediaPerContent {
            validation.add(
                .tooMany, "\(count) media of one kind, at most \(SiteLimits.mediaPerContent)")
        }
        for audio in audio {
            validation.checkMedia(audio.media)
            if let language = audio.language { validation.checkLanguage(language) }
        }
        for picture in pictures {
            validation.checkMedia(picture.media)
            validation.checkText(picture.caption, "caption")
            validation.checkNames(picture.captions)
        }
        for video in videos { validation.checkMedia(video) }
    }
}
