import LogViews
import Postgres

/// The tables of accounts, invitations and session keys. Names and sign-ins of people are stored
/// here and nowhere else.
enum PeopleSchema {
    static let step = Migrator.Step("people", migration)

    private static let migration = """
        CREATE TABLE site_editor.accounts (
            id uuid PRIMARY KEY,
            -- In lower case; null for who is signed in by a provider, and for ended accounts.
            sign_in text UNIQUE,
            name text NOT NULL,
            password text,
            issuer text,
            subject text,
            grants text NOT NULL,
            version bigint NOT NULL,
            sessions_ended integer NOT NULL,
            made_at timestamptz NOT NULL,
            made_by text NOT NULL,
            signed_in_at timestamptz,
            ended_at timestamptz,
            UNIQUE (issuer, subject));
        CREATE TABLE site_editor.invitations (
            id uuid PRIMARY KEY,
            hash text NOT NULL UNIQUE,
            -- Whether it makes the first administrator.
            is_first boolean NOT NULL,
            note text NOT NULL,
            grants text NOT NULL,
            made_at timestamptz NOT NULL,
            made_by text NOT NULL,
            expires_at timestamptz NOT NULL);
        CREATE TABLE site_editor.session_keys (
            id text PRIMARY KEY,
            secret bytea NOT NULL,
            made_at timestamptz NOT NULL);
        -- Sign-ins that are at the provider just now: nothing is lost if a crash forgets them.
        CREATE UNLOGGED TABLE site_editor.provider_sign_ins (
            hash text PRIMARY KEY,
            nonce text NOT NULL,
            verifier text NOT NULL,
            return_to text NOT NULL,
            expires_at timestamptz NOT NULL)
        """
}
