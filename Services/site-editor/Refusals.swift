public import Access
import Events
public import HTTP
import Media
public import ServiceHost
public import Site
import Wire

/// The site does not exist, or was removed.
struct UnknownSite: Error {
    let site: SiteID
}

/// The site's id is too long: its testers' site has a longer one.
enum UntestableSite: Error {
    case longID
    /// A site of this id was made before testers' sites existed.
    case taken(SiteID)
}

/// The caller's rights have changed between the check and the transaction.
struct GrantsChanged: Error {}

/// Why an account or an invitation is not made, changed or accepted.
enum AccountRefusal: Error {
    case tooMany(Int)
    case signInTaken
    case lastAdministrator
    case tooManyInvitations(Int)
    case invitationUnusable
    /// The roles of this many accounts can't be read, because a later release wrote them.
    case unreadable(Int)
}

/// Why a device is not enrolled.
enum DeviceRefusal: Error {
    /// The site has as many as it may have, or the account as it may enrol.
    case tooMany(Int)
    /// The account has erased this many devices within a day.
    case tooManyErasures(Int)
    case identityKeyInUse
    /// No secret is set with which identity keys could be sealed.
    case noSecret
}

/// Why the journal of a draft is not read or an edit not made, whatever the edit does.
enum DraftRefusal: Error {
    /// Another edit has the id.
    case idInUse
    /// Edits that are needed for it are gone, for the reason in the sentence.
    case gone(String)
    /// Somebody else made the edit that is to be undone.
    case notOwn
}

/// Why files that a site names can't be used.
enum MediaRefusal: Error {
    case gone
    /// The number of files that are not stored, and the hash of the first.
    case unknown(Int, first: String)
    case planSizeDiffers(FloorPlanID, said: PictureSize, actual: PictureSize)
}

// MARK: Answers to clients

extension UnknownSite: ClientRefusal {
    var problem: Problem { .siteUnknown(site) }
}

extension UntestableSite: ClientRefusal {
    var problem: Problem {
        switch self {
        case .longID:
            Problem(.siteMalformed, "Testers see sites whose id has at most 59 characters.")
        case .taken(let id):
            Problem(
                .siteMalformed,
                "\(id) is an ordinary site: publish it under another id, and remove it first.")
        }
    }
}

extension GrantsChanged: ClientRefusal {
    var problem: Problem {
        Problem(.tokenWrong, "Your rights have just changed: sign in again.")
    }
}

extension AccountRefusal: ClientRefusal {
    var problem: Problem {
        switch self {
        case .tooMany(let count):
            Problem(.tooManyAccounts, "There are \(count) accounts: end some first.")
        case .signInTaken:
            Problem(.signInTaken, "Somebody else has this sign-in: choose another.")
        case .lastAdministrator:
            Problem(
                .lastAdministrator, "This is the last administrator: make another one first.")
        case .tooManyInvitations(let count):
            Problem(
                .tooManyInvitations,
                "\(count) invitations are open: withdraw some, or wait for them to end.")
        case .invitationUnusable:
            Problem(
                .invitationUnusable,
                "This link was used, has expired, or was withdrawn: ask for a new one.")
        case .unreadable(let count):
            Problem(
                .accountsUnreadable,
                "The roles of \(count) people can't be read, because a later release wrote them. "
                    + "Use that release, or give them other roles, or end their accounts.")
        }
    }
}

extension DeviceRefusal: ClientRefusal {
    var problem: Problem {
        switch self {
        case .tooMany(let most):
            Problem(
                .tooManyDevices,
                "There are \(most) devices already, and no more may be enrolled.")
        case .tooManyErasures(let count):
            Problem(
                .tooManyErasures, "You have erased \(count) devices within a day.",
                retryAfterSeconds: 3_600)
        case .identityKeyInUse:
            Problem(.identityKeyInUse, "Another device of the site has this identity key.")
        case .noSecret:
            Problem(
                .secretNotSet,
                "Identity keys are sealed with WHEREABOUTS_SERVICE_SECRET, which nobody has set.")
        }
    }
}

extension DraftRefusal: ClientRefusal {
    var problem: Problem {
        switch self {
        case .idInUse:
            Problem(
                .draftEditIdConflict, "Another edit of this draft has this id: send a new one.")
        case .gone(let reason):
            Problem(.draftEditsGone, "\(reason) The last \(DraftJournal.mostEdits) are kept.")
        case .notOwn:
            Problem(.roleNotAllowed, "Your role may undo your own edits: ask an administrator.")
        }
    }
}

extension MediaRefusal: ClientRefusal {
    var problem: Problem {
        switch self {
        case .gone: Problem(.mediaUnknown, "The file is gone: send it again.")
        case .unknown(let count, let first):
            Problem(
                other: .mediaUnknown,
                "\(count) file(s) are not stored as the site describes them, "
                    + "such as \(first.prefix(64)): send them to /v1/media first.")
        case .planSizeDiffers(let plan, let said, let actual):
            Problem(
                .planSizeDiffers,
                "Floor plan \(plan) states \(said.text) pixels, but its picture has \(actual.text)."
            )
        }
    }
}

extension Issuing.Refusal: ClientRefusal {
    public var problem: Problem {
        switch self {
        case .deviceMissing:
            Problem(
                other: .deviceMissing,
                "The token of a device or a scanner names its site and its device.")
        case .siteMissing:
            Problem(
                other: .siteMissing,
                "A token of buildings, or of an administrator of a site, names its site.")
        case .beyondIssuer:
            Problem(.beyondYourGrants, "You can't issue more rights than you have: name your site.")
        case .alreadyExpired: Problem(.expiryPast, "expiresAt is in the past: choose a later time.")
        case .tooLong(let days):
            Problem(.expiryTooLate, "A token of this role holds at most \(days) days.")
        case .afterIssuer:
            Problem(.expiryBeyondYours, "Your own token ends before that: choose an earlier time.")
        }
    }
}

extension TokenOrder.FormFault: ClientRefusal {
    var problem: Problem {
        switch self {
        case .noteTooLong(let maximum):
            Problem(.noteTooLong, "A note has at most \(maximum) bytes.")
        case .tooManyBuildings(let maximum):
            Problem(.tooManyBuildings, "A token names at most \(maximum) buildings.")
        case .keyMalformed:
            Problem(.keyMalformed, "signingKey is 32 bytes in hex: 64 characters.")
        }
    }
}

extension OutageRefusal: ClientRefusal {
    public var problem: Problem {
        switch self {
        case .unknownConnection(let connection):
            Problem(.connectionUnknown, "The site has no connection \(connection).")
        case .unusableText(let field, let maximum):
            Problem(
                .outageTextUnusable,
                "\(field) has 1 to \(maximum) bytes and no control character.")
        case .endsBeforeItBegins:
            Problem(.outageTimesSwapped, "Choose an until after from.")
        case .sameIDForAnother:
            Problem(.outageIdConflict, "Another outage was reported under this id.")
        case .tooMany:
            Problem(
                .tooManyOutages,
                "A site has at most \(OutageState.openMaximum) outages that are not over.")
        case .nothingToEnd:
            Problem(.outageUnknown, "No such outage or barrier is known, or it is over already.")
        }
    }
}
