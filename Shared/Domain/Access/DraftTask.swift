public import Events
import Geometry
public import Site

/// A part of the work on a site's draft, and the roles that may do it.
///
/// This is the only table of these rights. `whereabouts describe roles` prints it.
public enum DraftTask: String, Hashable, Sendable, CaseIterable {
    case locations
    case proposedRooms = "proposed-rooms"
    case undoOfOwn = "undo-of-own"
    case undoOfOthers = "undo-of-others"
    case everythingElse = "everything-else"
    case publication

    /// The roles that may do it, at the complete site.
    public var roles: RoleSet {
        switch self {
        case .locations, .proposedRooms, .undoOfOwn: AccessTable.surveyors
        case .undoOfOthers, .everythingElse, .publication: AccessTable.editors
        }
    }

    /// The task for people.
    public var words: String {
        switch self {
        case .locations: "make, rename, move, clear and remove locations"
        case .proposedRooms:
            "propose rooms: such a room is not published until somebody accepts it"
        case .undoOfOwn: "undo one's own edits"
        case .undoOfOthers: "undo the edits of others"
        case .everythingElse: "accept proposed rooms, and edit everything else"
        case .publication: "publish the draft"
        }
    }
}

/// The tasks on a draft that one caller may do.
public struct DraftRights: Hashable, Sendable {
    public var tasks: Set<DraftTask>

    public static let all = DraftRights(tasks: Set(DraftTask.allCases))
    public static let none = DraftRights(tasks: [])

    public init(tasks: Set<DraftTask>) { self.tasks = tasks }

    /// The tasks of somebody with these grants at the site.
    public init(_ grants: [Grant], at site: SiteID) {
        let whole = grants.filter { $0.buildings == nil && $0.reaches(site) }
        tasks = Set(
            DraftTask.allCases.filter { task in
                whole.contains { task.roles.contains($0.role) }
            })
    }

    /// Whether the caller may undo an edit.
    public func mayUndo(isOwn: Bool) -> Bool {
        tasks.contains(isOwn ? .undoOfOwn : .undoOfOthers)
    }

    /// Whether the caller may make an edit of these changes.
    public func mayMake(_ changes: [DraftChange]) -> Bool {
        changes.allSatisfy { tasks.contains($0.task) }
    }
}

extension DraftChange {
    /// The task to which the change belongs. The discard of a location's surveys belongs to it.
    var task: DraftTask {
        switch thing {
        case .record(let thing) where thing.kind == LocationRecord.kind.name: return .locations
        case .record(let thing) where thing.kind == RoomRecord.kind.name:
            return [before, after].allSatisfy { $0?.isProposedRoom ?? true }
                ? .proposedRooms : .everythingElse
        case .record: return .everythingElse
        case .site: return discardsOfLocations ? .locations : .everythingElse
        }
    }

    /// Whether the change only discards surveys that name a location, and none by an outline.
    private var discardsOfLocations: Bool {
        guard members == ["surveyDiscards"], case .site(let before)? = before,
            case .site(let after)? = after
        else { return false }
        return (before.surveyDiscards + after.surveyDiscards).allSatisfy { discard in
            discard.outline.isEmpty && !discard.locations.isEmpty
        }
    }
}

extension DraftValue {
    fileprivate var isProposedRoom: Bool {
        guard case .record(let record) = self, let room = record as? RoomRecord else {
            return false
        }
        return room.isProposed
    }
}
