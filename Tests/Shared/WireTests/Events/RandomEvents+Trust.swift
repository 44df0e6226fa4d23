import Events
import Wire

extension RandomEvents {
    mutating func surveyReviews() -> [any WireEvent] {
        [
            SurveysJudged(
                site: SiteID(name()), surveyOffsets: list(12) { Int64($0.integer(0...1_000_000)) },
                surveys: list(4) { $0.id() },
                radioMapVersion: maybe { $0.integer(1...9_000) }, at: time()),
            SurveyKeptAside(
                site: SiteID(name()), survey: id(), author: maybe { $0.text(40) },
                doubt: SurveyDoubt.allCases[integer(0...1)],
                radioMapVersion: integer(1...9_000), radioMapHash: name(),
                distanceMetres: maybe { abs($0.eighths()) }, at: time()),
            SurveyDecided(
                site: SiteID(name()), survey: id(), isAccepted: integer(0...1) == 1, by: text(40),
                at: time()),
            SurveysWithdrawn(
                site: SiteID(name()),
                which: integer(0...1) == 1 ? .survey(id()) : .author(text(40)), by: text(40),
                at: time()),
        ]
    }

    mutating func token() -> TokenIssued {
        TokenIssued(
            hash: name(), id: id(),
            role: TokenRole.allCases[integer(0...TokenRole.allCases.count - 1)],
            site: maybe { SiteID($0.name()) }, buildings: list(3) { BuildingID($0.name()) },
            device: maybe { DeviceID($0.name()) }, note: text(40), issuedAt: time(),
            expiresAt: maybe { $0.time() }, issuedBy: maybe { $0.text(40) },
            signingKey: maybe { $0.name() },
            quota: maybe {
                TokenQuota(
                    recordsPerSecond: $0.maybe { Double($0.integer(1...4_000)) / 8 },
                    burst: $0.maybe { $0.integer(1...9_000) },
                    bytesPerSecond: $0.maybe { $0.integer(1...9_000) })
            })
    }
}
