extension SiteDocument {
    /// Whether a content or a floor plan of the document names the file with this hash.
    public func names(media hash: String) -> Bool {
        floorPlans.contains { $0.image.hash == hash }
            || contents.contains { content in
                content.audio.contains { $0.media.hash == hash }
                    || content.pictures.contains { $0.media.hash == hash }
                    || content.videos.contains { $0.hash == hash }
            }
    }
}
