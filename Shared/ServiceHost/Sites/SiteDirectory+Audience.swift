import Cryptography
import Events
import Site
import Wire

extension SiteDirectory {
    /// The sites that a visitor without an account sees.
    ///
    /// - Parameters:
    ///   - named: those that the settings open. A site's own audience overrules them.
    ///   - link: the link that the visitor opened.
    func open(_ named: [SiteID], with link: SiteLink?) -> [SiteID] {
        let everybodys = everybodys
        let silent = named.filter { site in
            !everybodys.contains(site) && self[whole: site]?.index.document.audience == nil
        }
        let linked = link.flatMap { isOpened(by: $0) ? [$0.site] : nil } ?? []
        return silent + everybodys + linked
    }

    /// Whether the site is seen by those who have this link.
    func isOpened(by link: SiteLink) -> Bool {
        guard link.site.tested == nil, let document = self[whole: link.site]?.index.document,
            document.audience == .link, let secret = document.linkSecret
        else { return false }
        let proof = SiteLink(to: link.site, secret: secret).proof
        return isEqualInConstantTime(Array(proof.utf8), Array(link.proof.utf8))
    }
}
