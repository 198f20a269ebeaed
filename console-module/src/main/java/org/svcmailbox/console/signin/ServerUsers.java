package org.svcmailbox.console.signin;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.security.enterprise.credential.Credential;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import jakarta.servlet.ServletContext;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * The users of the server's security domain. There is no standard way to ask for them, so a server
 * that has a part of ours inside leaves one in an attribute of the servlet context: a function of a
 * name and a password to the user's roles, or to null when that is nobody. Without it there are no
 * users.
 */
@Singleton
public class ServerUsers implements IdentityStore {
  /** The attribute; its value is a {@code BiFunction<String, char[], Set<String>>}. */
  static final String ATTRIBUTE = "org.svcmailbox.users";

  private final ServletContext context;

  /** With what the container gives. */
  @Inject
  public ServerUsers(ServletContext context) {
    this.context = context;
  }

  @Override
  public CredentialValidationResult validate(Credential credential) {
    if (!(credential instanceof UsernamePasswordCredential given)) {
      return CredentialValidationResult.NOT_VALIDATED_RESULT;
    }
    Object roles =
        context.getAttribute(ATTRIBUTE) instanceof BiFunction<?, ?, ?> users
            ? ask(users, given)
            : null;
    return roles instanceof Set<?> names
        ? new CredentialValidationResult(given.getCaller(), strings(names))
        : CredentialValidationResult.INVALID_RESULT;
  }

  @SuppressWarnings("unchecked")
  private static Object ask(BiFunction<?, ?, ?> users, UsernamePasswordCredential given) {
    return ((BiFunction<String, char[], Set<String>>) users)
        .apply(given.getCaller(), given.getPassword().getValue());
  }

  private static Set<String> strings(Set<?> names) {
    return names.stream().map(String::valueOf).collect(Collectors.toSet());
  }
}
