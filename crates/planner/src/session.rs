//! The account and the variables of the session.

use environment::{OnMissing, ResolvedEnvironment, VariableLayer, VariableValue};

use crate::quote::{fits_env_value, shell_word};
use crate::{Session, Variable};

/// The account, and where it starts.
pub(crate) fn session(environment: &ResolvedEnvironment) -> Session {
    Session {
        user: environment.accounts.session.value.clone(),
        home: environment.accounts.home.value.clone(),
        workdir: environment.workdir.as_ref().map(|workdir| workdir.value.clone()),
    }
}

/// The variables, one entry for each name. Which layer wins is not published; here it is the
/// agent's, because in every merge that is published the more specific one wins.
pub(crate) fn variables(environment: &ResolvedEnvironment) -> Vec<Variable> {
    let agent_has = |name: &environment::EnvKey| {
        environment
            .variables
            .iter()
            .any(|other| other.layer == VariableLayer::Agent && other.name.value == *name)
    };
    let wins = |variable: &&environment::Variable| {
        variable.layer == VariableLayer::Agent || !agent_has(&variable.name.value)
    };
    environment.variables.iter().filter(wins).map(variable).collect()
}

fn variable(variable: &environment::Variable) -> Variable {
    let name = variable.name.value.to_string();
    match &variable.value {
        VariableValue::Literal { text } => {
            Variable { name, literal: Some(text.value.clone()), secret: None, optional: false }
        }
        VariableValue::Secret { name: secret, on_missing } => Variable {
            name,
            literal: None,
            secret: Some(secret.value.to_string()),
            optional: *on_missing == OnMissing::Omit,
        },
    }
}

/// Shell lines for the variables that `ENV` cannot carry, because a Dockerfile has no way to
/// write a newline in a value. They are set in front of each setup entry instead.
pub(crate) fn exported(variables: &[Variable]) -> String {
    let text = |variable: &Variable| {
        let literal = variable.literal.as_deref().filter(|text| !fits_env_value(text))?;
        Some(format!("export {}={}\n", variable.name, shell_word(literal)))
    };
    variables.iter().filter_map(text).collect()
}
