from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memoryhub', '0015_fill_policy_states'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='policyversion',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'proposed', 'approved', 'rejected', 'withdrawn'])), name='policyversion_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='policyversion',
            constraint=models.CheckConstraint(condition=models.Q(('origin__in', ['starter', 'person', 'rule'])), name='policyversion_origin_is_known'),
        ),
        migrations.AddConstraint(
            model_name='policyversion',
            constraint=models.CheckConstraint(condition=models.Q(('is_current', False), ('state', 'approved'), _connector='OR'), name='the_current_policy_is_approved'),
        ),
        migrations.AddConstraint(
            model_name='policyversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('origin', 'person'), ('state__in', ['approved', 'rejected']), _negated=True), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='a_persons_policy_is_decided_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='policyversion',
            constraint=models.CheckConstraint(condition=models.Q(('four_eyes', False), ('decided_by__isnull', True), models.Q(('created_by__isnull', False), models.Q(('decided_by', models.F('created_by')), _negated=True)), _connector='OR'), name='nobody_approves_his_own_policy'),
        ),
    ]
