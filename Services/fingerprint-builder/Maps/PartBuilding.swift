import Cryptography
import Events
import Positioning
import Postgres
import RadioMapCare
import Site
import Wire

/// Builds the parts of one version of a site's radio map: those whose inputs have changed. The
/// others are taken from the version before.
struct PartBuilding: Sendable {
    let site: SiteID
    let published: PublishedSite
    /// The version before, with its parts; nil for the first one.
    let newest: RadioMapStore.Version?
    let former: [BuildingID: MadePart]
    let store: RadioMapStore
    let schema: String
    let now: Timestamp

    private var judge: SurveyJudge?
    private(set) var parts: [MadePart] = []
    private(set) var keptAside: [SurveyKeptAside] = []
    private(set) var judged: Set<EventID> = []

    init(
        _ site: SiteID, _ published: PublishedSite, after newest: RadioMapStore.Version?,
        _ store: RadioMapStore, schema: String, now: Timestamp
    ) async throws {
        self.site = site
        self.published = published
        self.newest = newest
        self.store = store
        self.schema = schema
        self.now = now
        former = newest == nil ? [:] : try await store.parts(of: newest?.version ?? 0, site)
    }

    /// Builds the parts of these inputs, one after the other, so that only one building's surveys
    /// are in memory.
    mutating func build(_ inputs: [BuildingID: PartInputs]) async throws {
        for (building, inputs) in inputs.sorted(by: { $0.key < $1.key }) {
            if var part = former[building], part.inputs == inputs.digest {
                part.new = nil
                parts.append(part)
            } else {
                parts.append(try await build(building, inputs))
            }
        }
    }

    /// Whether the parts are those of the version before.
    var isUnchanged: Bool {
        Set(parts.map(\.announced)) == Set(former.values.map(\.announced))
    }

    /// Surveys of new parts whose place could not be found.
    var rejections: Int { parts.reduce(0) { $0 + ($1.new?.rejections ?? 0) } }

    private mutating func build(
        _ building: BuildingID, _ inputs: PartInputs
    ) async throws -> MadePart {
        var read = try await GroundSurveys.read(
            site, at: inputs.grounds, beacons: published.index.beacons, in: schema, store.pool)
        try await judgeFresh(&read)
        let digest = inputs.digest(read.counted)
        let discarded = DiscardedSurveys(published.index.document, frame: published.index.frame)
        let isLeftOut = { (survey: SurveyRecorded) in
            discarded.contains(survey) || read.leftOut.contains(survey.scan.id)
        }
        let all = read.all.filter { !isLeftOut($0) }
        let filter = AccessPointFilter(published.index.document.accessPoints, surveys: all)
        let surveys = all.map { filter.kept($0) }
        let (changes, appeared) = ChangeDetector.findings(in: surveys, site: published.index)
        let changed = Dictionary(uniqueKeysWithValues: changes.map { ($0.transmitter, $0) })
        let result = RadioMapBuilder.build(
            surveys.lazy.map { $0.without(changed) }, site: published.index)
        let bytes = RadioMapPartArtifact.encode(result.part)
        return MadePart(
            announced: .init(
                building: building, hash: sha256Hex(bytes), byteCount: bytes.count),
            part: result.part, inputs: digest,
            new: .init(
                bytes: bytes, notes: PartNotes(changes + appeared, refused: filter.refused),
                surveys: read.all.map(\.scan.id),
                discarded: read.all.filter(isLeftOut).map(\.scan.id),
                rejections: result.rejections.count))
    }

    /// Compares the surveys that nobody has judged yet with the map of the version before. It is
    /// the whole map, since a survey may look like a place in another building.
    private mutating func judgeFresh(_ read: inout GroundSurveys) async throws {
        guard !read.fresh.isEmpty else { return }
        judged.formUnion(read.fresh)
        let known: SurveyJudge
        if let judge {
            known = judge
        } else {
            var map = RadioMap.empty
            if let newest {
                map =
                    former.isEmpty
                    ? try await store.map(newest.hash) ?? .empty
                    : RadioMap(joining: former.values.map(\.part))
            }
            known = SurveyJudge(map, site: published.index)
            judge = known
        }
        let filter = AccessPointFilter(published.index.document.accessPoints, surveys: read.all)
        let fresh = read.all.filter {
            read.fresh.contains($0.scan.id) && !read.leftOut.contains($0.scan.id)
        }
        for survey in fresh {
            let (doubt, metres): (SurveyDoubt, Double?)
            switch known.verdict(of: filter.kept(survey)) {
            case .fits, .nothingToCompare: continue
            case .outsideFloor(let outside): (doubt, metres) = (.outsideFloor, outside)
            case .againstMap(let off): (doubt, metres) = (.againstMap, off)
            }
            keptAside.append(
                SurveyKeptAside(
                    site: site, survey: survey.scan.id, author: survey.author, doubt: doubt,
                    radioMapVersion: newest?.version ?? 0, radioMapHash: newest?.hash ?? "",
                    distanceMetres: metres, at: now))
            read.leftOut.insert(survey.scan.id)
        }
    }
}
