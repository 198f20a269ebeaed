/**
 * Capabilities in the server: the bean, the tables of root keys and revocations, the operator's
 * file. Invariant: a root key's secret leaves the database for memory only.
 */
@NullMarked
package org.svcmailbox.ejb.capability;

import org.jspecify.annotations.NullMarked;
