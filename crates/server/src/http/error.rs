//! Errors of the API: one enum of stable codes. The texts for users are in the locale files.

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $status:ident, $message:literal;)+) => {
        /// A stable error code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
        pub enum Code { $($(#[$doc])* #[serde(rename = $word)] $name,)+ }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Returns the code as it is sent in responses.
            #[must_use]
            pub const fn as_str(self) -> &'static str { match self { $(Self::$name => $word,)+ } }

            /// Returns the HTTP status of the code.
            #[must_use]
            pub const fn status(self) -> StatusCode { match self { $(Self::$name => StatusCode::$status,)+ } }

            /// Returns the default English message.
            #[must_use]
            pub const fn message(self) -> &'static str { match self { $(Self::$name => $message,)+ } }
        }
    };
}

codes! {
    /// The body is not JSON, has a wrong type or an unknown field.
    InvalidBody = "INVALID_BODY", BAD_REQUEST, "The request body is not valid";
    /// The query string is not valid.
    InvalidQuery = "INVALID_QUERY", BAD_REQUEST, "The query string is not valid";
    /// The body is larger than allowed.
    BodyTooLarge = "BODY_TOO_LARGE", PAYLOAD_TOO_LARGE, "The request body is too large";
    /// The body did not arrive in time.
    RequestTimeout = "REQUEST_TIMEOUT", REQUEST_TIMEOUT, "The request took too long to arrive";
    /// The body is not declared as JSON.
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", UNSUPPORTED_MEDIA_TYPE, "Send application/json";
    /// At least one field is invalid; `data.fields` has a code for each such field.
    ValidationFailed = "VALIDATION_FAILED", UNPROCESSABLE_ENTITY, "Some fields are not valid";
    /// The request has no valid access token.
    Unauthorized = "UNAUTHORIZED", UNAUTHORIZED, "User not authenticated";
    /// The caller may not do this.
    Forbidden = "FORBIDDEN", FORBIDDEN, "Not allowed";
    /// The object does not exist, or belongs to another user.
    NotFound = "NOT_FOUND", NOT_FOUND, "Not found";
    /// The path exists with another method.
    MethodNotAllowed = "METHOD_NOT_ALLOWED", METHOD_NOT_ALLOWED, "Method not allowed";
    /// Too many requests of this kind; `Retry-After` has the time to wait.
    TooManyAttempts = "TOO_MANY_ATTEMPTS", TOO_MANY_REQUESTS, "Too many attempts, please wait and try again";
    /// Unknown e-mail or wrong password.
    InvalidCredentials = "INVALID_CREDENTIALS", UNAUTHORIZED, "Invalid email or password";
    /// The password was right, but the address is not verified yet.
    EmailNotVerified = "EMAIL_NOT_VERIFIED", FORBIDDEN, "Please verify your email before logging in";
    /// The password was right; a code of the second factor is also required.
    TotpRequired = "TOTP_REQUIRED", UNAUTHORIZED, "Enter the code of your authenticator app";
    /// The password was right, but the code was wrong or used before.
    TotpInvalid = "TOTP_INVALID", UNAUTHORIZED, "This code is not valid";
    /// The caller must confirm the identity again, then repeat the call; `data` lists the methods.
    StepUpRequired = "STEP_UP_REQUIRED", FORBIDDEN, "Please confirm that it is you";
    /// A booking is in progress, and its outcome must be known first.
    AccountBusy = "ACCOUNT_BUSY", CONFLICT, "A booking is in progress, please try again later";
    /// The balance differs from the one in the request; `data` has the current balance.
    BalanceChanged = "BALANCE_CHANGED", CONFLICT, "The balance has changed, please confirm again";
    /// The passkey was removed, or its answer is wrong, late or repeated.
    PasskeyRefused = "PASSKEY_REFUSED", UNPROCESSABLE_ENTITY, "This passkey was not accepted";
    /// The caller has the maximum number of passkeys.
    PasskeyLimit = "PASSKEY_LIMIT", CONFLICT, "You have as many passkeys as you may";
    /// This server does not offer sign-in with Google.
    GoogleNotConfigured = "GOOGLE_NOT_CONFIGURED", SERVICE_UNAVAILABLE, "Sign-in with Google is not available here";
    /// Google does not respond.
    GoogleOauthError = "GOOGLE_OAUTH_ERROR", BAD_GATEWAY, "Failed to get Google OAuth URL";
    /// The token of the link is unknown or was used.
    InvalidToken = "INVALID_TOKEN", BAD_REQUEST, "Invalid or expired token";
    /// The token of the link has expired.
    TokenExpired = "TOKEN_EXPIRED", GONE, "This link has expired";
    /// The session has ended.
    InvalidRefreshToken = "INVALID_REFRESH_TOKEN", UNAUTHORIZED, "Please log in again";
    /// The available balance is too low; `data` has the missing amount.
    InsufficientCredit = "INSUFFICIENT_CREDIT", PAYMENT_REQUIRED, "Insufficient balance";
    /// The price changed since it was shown; `data.cost_details` has the new price.
    PriceChanged = "PRICE_CHANGED", CONFLICT, "The price has changed, please confirm again";
    /// The promotion code gives no discount; `data.reason` has the reason.
    PromoRefused = "PROMO_REFUSED", UNPROCESSABLE_ENTITY, "This promo code cannot be used";
    /// The referral code gives no discount; `data.reason` has the reason.
    ReferralRefused = "REFERRAL_REFUSED", UNPROCESSABLE_ENTITY, "This referral code cannot be used";
    /// The appointment is already monitored; `data.owner` is `self` or `other`.
    ScheduleAlreadyExists = "SCHEDULE_ALREADY_EXISTS", CONFLICT, "This appointment is already registered by another user";
    /// The status of the object, e.g. a task, does not allow the action.
    IllegalTransition = "ILLEGAL_TRANSITION", CONFLICT, "Not possible in the task's present state";
    /// The task's criteria changed since the edit began; `data.schedule` has the current task.
    ScheduleChanged = "SCHEDULE_CHANGED", CONFLICT, "The conditions were changed elsewhere, please look again";
    /// The task has a rating, and can be rated only once.
    AlreadyRated = "ALREADY_RATED", CONFLICT, "This task has been rated already";
    /// The same `Idempotency-Key` was sent with a different body.
    IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED", UNPROCESSABLE_ENTITY, "This Idempotency-Key was used for another request";
    /// The same request is still in progress.
    IdempotencyInFlight = "IDEMPOTENCY_IN_FLIGHT", CONFLICT, "The same request is still in progress";
    /// This country is not supported yet.
    CountryNotSupported = "COUNTRY_NOT_SUPPORTED", UNPROCESSABLE_ENTITY, "This country is not served here";
    /// The portal rejected the login name or password.
    PortalCredentialsRejected = "PORTAL_CREDENTIALS_REJECTED", UNPROCESSABLE_ENTITY, "The official site rejected this e-mail or password";
    /// The portal locked the account; `data.until` has the end of the lock if it is known.
    PortalAccountLocked = "PORTAL_ACCOUNT_LOCKED", LOCKED, "The official site has locked this account";
    /// The portal requires a captcha, which the user must solve there.
    PortalCaptcha = "PORTAL_CAPTCHA", CONFLICT, "The official site asks for a captcha; sign in there once, then try again";
    /// The session of the last verification has ended; the account must be verified again.
    PortalSignedOut = "PORTAL_SIGNED_OUT", CONFLICT, "The session at the official site is over; please check the account again";
    /// The portal does not respond.
    PortalUnavailable = "PORTAL_UNAVAILABLE", SERVICE_UNAVAILABLE, "The official site is not available right now";
    /// The portal's pages have changed.
    PortalLayoutChanged = "PORTAL_LAYOUT_CHANGED", BAD_GATEWAY, "The official site has changed; we are looking into it";
    /// The portal rejected this login too often recently.
    VerifyLimit = "VERIFY_LIMIT", TOO_MANY_REQUESTS, "Too many rejected sign-ins for this account; please wait an hour";
    /// Too many codes of the authenticator app were wrong today. Recovery codes are still accepted.
    /// `Retry-After` has the time to wait.
    SecondFactorLimit = "SECOND_FACTOR_LIMIT", TOO_MANY_REQUESTS, "Too many wrong codes today; use a recovery code or try again tomorrow";
    /// An operator suspended the account.
    AccountSuspended = "ACCOUNT_SUSPENDED", FORBIDDEN, "This account is suspended; please contact support";
    /// The user verified too many different portal logins within a day; see `Retry-After`.
    VerifyLoginsLimit = "VERIFY_LOGINS_LIMIT", TOO_MANY_REQUESTS, "Too many different accounts of the official site today; please try again tomorrow";
    /// Too many portal logins are being verified at the moment; see `Retry-After`.
    VerifyBusy = "VERIFY_BUSY", SERVICE_UNAVAILABLE, "Many accounts are being verified right now; please try again in a moment";
    /// The operator paused all requests to the portal.
    PortalPaused = "PORTAL_PAUSED", SERVICE_UNAVAILABLE, "Requests to the official site are paused right now; please try again later";
    /// The top-up code does not exist.
    TopupCodeInvalid = "TOPUP_CODE_INVALID", NOT_FOUND, "Invalid topup code";
    /// The top-up code was used before.
    TopupCodeUsed = "TOPUP_CODE_USED", CONFLICT, "Topup code has already been used";
    /// The top-up code has expired.
    TopupCodeExpired = "TOPUP_CODE_EXPIRED", GONE, "Topup code has expired";
    /// Billing is turned off on this server.
    BillingOff = "BILLING_OFF", NOT_FOUND, "Nothing is charged here";
    /// This server does not allow registration.
    RegistrationClosed = "REGISTRATION_CLOSED", FORBIDDEN, "Registration is closed on this server";
    /// This server does not accept cards.
    CardNotConfigured = "CARD_NOT_CONFIGURED", SERVICE_UNAVAILABLE, "Stripe payments are currently unavailable";
    /// The card provider does not respond, or refuses the request.
    CardProviderUnavailable = "CARD_PROVIDER_UNAVAILABLE", BAD_GATEWAY, "Payment system unavailable";
    /// This server does not offer channels of this kind.
    ChannelNotOffered = "CHANNEL_NOT_OFFERED", UNPROCESSABLE_ENTITY, "This server does not offer this channel";
    /// The caller has the maximum number of channels; `data.at_most` has that number.
    ChannelLimit = "CHANNEL_LIMIT", CONFLICT, "You have as many notification channels as you may";
    /// The provider, or a rule of this server, rejects the channel; `data.reason` and `data.answer`
    /// have the reason.
    ChannelRefused = "CHANNEL_REFUSED", UNPROCESSABLE_ENTITY, "Messages cannot be sent there";
    /// The channel's provider does not respond.
    ChannelUnreachable = "CHANNEL_UNREACHABLE", BAD_GATEWAY, "The provider does not answer right now";
    /// The code is wrong; `data.tries_left` has the number of tries left.
    ChannelCodeWrong = "CHANNEL_CODE_WRONG", UNPROCESSABLE_ENTITY, "That code is incorrect";
    /// Too many wrong codes were entered; a new code must be sent.
    ChannelCodeSpent = "CHANNEL_CODE_SPENT", CONFLICT, "Too many wrong codes; ask for another one";
    /// The code has expired; a new code must be sent.
    ChannelCodeExpired = "CHANNEL_CODE_EXPIRED", GONE, "This code has expired; ask for another one";
    /// This server sends no text messages to this country; `data.countries` lists the supported
    /// countries.
    SmsCountryNotAllowed = "SMS_COUNTRY_NOT_ALLOWED", UNPROCESSABLE_ENTITY, "Text messages are not sent to numbers of this country";
    /// The message is not signed by the card provider, or its signature is too old.
    InvalidSignature = "INVALID_SIGNATURE", BAD_REQUEST, "The signature is not valid";
    /// Writes of money are frozen after a failed check of the ledger.
    MoneyFrozen = "MONEY_FROZEN", SERVICE_UNAVAILABLE, "Payments are paused while we check the books";
    /// The server is temporarily unavailable; try again later.
    Unavailable = "UNAVAILABLE", SERVICE_UNAVAILABLE, "Temporarily unavailable, please try again";
    /// An internal error of the server.
    Internal = "INTERNAL", INTERNAL_SERVER_ERROR, "An unexpected error occurred. Please try again.";
}

// Implemented manually, because the derived schema would not contain the names that the macro gives
// to serde.
impl PartialSchema for Code {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A stable error code."))
            .enum_values(Some(Self::ALL.iter().map(|code| code.as_str())))
            .into()
    }
}

impl ToSchema for Code {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Code")
    }
}

/// Field `error` of the envelope.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// Stable code.
    pub code: Code,
    /// English message. A client shows its own text for the code.
    pub message: String,
}

/// Envelope of failed responses.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ErrorEnvelope {
    /// Always `false`.
    pub success: bool,
    /// Further details; only for some codes.
    pub data: Option<Value>,
    /// The error.
    pub error: ErrorBody,
}

/// A failure of a request, before it becomes a response.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// Stable code.
    pub code: Code,
    message: Cow<'static, str>,
    data: Option<Value>,
    retry_after_seconds: Option<u64>,
}

impl ApiError {
    /// Creates a failure with the code's default message.
    #[must_use]
    pub const fn new(code: Code) -> Self {
        Self { code, message: Cow::Borrowed(code.message()), data: None, retry_after_seconds: None }
    }

    /// Replaces the message.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = message.into();
        self
    }

    /// Sets the data that the client needs to continue.
    #[must_use]
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// Adds a `Retry-After` header.
    #[must_use]
    pub const fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_seconds = Some(seconds);
        self
    }

    /// Creates an internal error, and logs its cause. Callers need not log it.
    pub fn internal(cause: &dyn std::fmt::Display) -> Self {
        tracing::error!(%cause, "failed to answer a request: internal error");
        Self::new(Code::Internal)
    }
}

impl From<Code> for ApiError {
    fn from(code: Code) -> Self {
        Self::new(code)
    }
}

impl From<store::Error> for ApiError {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Unavailable(_) | store::Error::Unsure(_) | store::Error::Retry(_) => {
                tracing::warn!(%error, "the database is unavailable");
                Self::new(Code::Unavailable).retry_after(2)
            }
            store::Error::Illegal(_, _) => Self::new(Code::IllegalTransition),
            store::Error::Frozen(_) => Self::new(Code::MoneyFrozen).retry_after(600),
            error => Self::internal(&error),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = ErrorEnvelope {
            success: false,
            data: self.data,
            error: ErrorBody { code: self.code, message: self.message.into_owned() },
        };
        let mut response = (self.code.status(), Json(body)).into_response();
        if let Some(seconds) = self.retry_after_seconds {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// Fields that break a rule, each with a code.
#[derive(Clone, Debug, Default)]
pub struct Fields(BTreeMap<&'static str, &'static str>);

impl Fields {
    /// Adds an invalid field with a code. Only the first code of a field is stored.
    pub fn add(&mut self, field: &'static str, code: &'static str) {
        self.0.entry(field).or_insert(code);
    }

    /// Creates a failure with a single invalid field.
    #[must_use]
    pub fn single(field: &'static str, code: &'static str) -> ApiError {
        ApiError::new(Code::ValidationFailed).with_data(json!({ "fields": { field: code } }))
    }

    /// Returns `Ok` if no field is invalid.
    ///
    /// # Errors
    /// Returns `VALIDATION_FAILED` with all invalid fields.
    pub fn none(self) -> Result<(), ApiError> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(ApiError::new(Code::ValidationFailed).with_data(json!({ "fields": self.0 })))
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for ApiError {}
