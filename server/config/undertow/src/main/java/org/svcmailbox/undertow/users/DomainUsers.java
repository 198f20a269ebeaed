package org.svcmailbox.undertow.users;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.wildfly.security.auth.server.RealmUnavailableException;
import org.wildfly.security.auth.server.SecurityDomain;
import org.wildfly.security.auth.server.SecurityIdentity;
import org.wildfly.security.evidence.PasswordGuessEvidence;

/** The users of the Elytron domain of the deployment on whose thread it is called. */
final class DomainUsers {
  private static final Logger LOG = System.getLogger(DomainUsers.class.getName());

  private DomainUsers() {}

  /** A user's roles; null for invalid credentials, or if the roles cannot be found out. */
  static @Nullable Set<String> roles(String user, char[] password) {
    SecurityDomain domain = SecurityDomain.getCurrent();
    if (domain == null) {
      LOG.log(Level.WARNING, "The deployment has no security domain to ask for users");
      return null;
    }
    try {
      SecurityIdentity identity = domain.authenticate(user, new PasswordGuessEvidence(password));
      Set<String> roles = new HashSet<>();
      identity.getRoles().forEach(roles::add);
      return roles;
    } catch (RealmUnavailableException e) {
      LOG.log(Level.ERROR, "The users of the server cannot be asked for", e);
      return null;
    } catch (SecurityException e) {
      // Not this user, or not this password.
      return null;
    }
  }
}
