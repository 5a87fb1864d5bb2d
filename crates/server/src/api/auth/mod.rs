//! Registration, verification, sign-in and sign-out.

pub mod admission;
pub mod change;
pub mod common_passwords;
pub mod exchange;
pub mod forgot;
pub mod google;
pub mod guess_limits;
pub mod links;
pub mod login;
pub mod logout;
pub mod logout_all;
pub mod mailed_sign_in;
pub mod methods;
pub mod passkey;
pub mod profile;
pub mod proof;
pub mod refresh;
pub mod register;
pub mod reset;
pub mod step_up;
pub mod verify;
