/** The users of the server's security domain, for deployments that name one. */
@NullMarked
package org.svcmailbox.undertow.users;

import org.jspecify.annotations.NullMarked;
